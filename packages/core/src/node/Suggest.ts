/**
 * The name that was probably meant.
 */

/** The nearest of `candidates`, if it is near enough. */
export const didYouMean = (wrong: string, candidates: Iterable<string>): string | undefined => {
  const most = wrong.length <= 3 ? 1 : wrong.length <= 7 ? 2 : 3
  let best: string | undefined
  let bestDistance = most + 1
  for (const candidate of candidates) {
    if (candidate === wrong || Math.abs(candidate.length - wrong.length) > most) continue
    const distance = plain(candidate) === plain(wrong) ? 0 : edits(wrong, candidate, bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `total_price` and `totalPrice` are one name to a person. */
const plain = (name: string): string => name.replace(/[_$]/g, "").toLowerCase()

/** Insertions, deletions, replacements and swaps of neighbours; `limit` where there are more. */
const edits = (a: string, b: string, limit: number): number => {
  let older: Array<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, older[j - 2]! + 1)
      row.push(best)
    }
    if (Math.min(...row) > limit) return limit
    older = last
    last = row
  }
  return last[b.length]!
}
