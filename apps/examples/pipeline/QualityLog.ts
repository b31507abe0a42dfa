/** Every decision of the cleaner, recorded through a function of this program and printed with the answer. */
import * as z from "zod"

export const QualityIssue = z.object({
  issue: z.string().min(1).describe("What was wrong"),
  rows: z.int().nonnegative().describe("How many rows (or names) were affected"),
  unit: z.enum(["rows", "names"]).default("rows"),
  decision: z.string().min(1).describe("What was done about it, and why")
})
export type QualityIssue = z.output<typeof QualityIssue>

export class QualityLog {
  readonly issues: Array<QualityIssue> = []

  record(issue: z.input<typeof QualityIssue>): void {
    this.issues.push(QualityIssue.parse(issue))
  }
}
