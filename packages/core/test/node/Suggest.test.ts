import { assert, describe, it } from "@effect/vitest"
import { didYouMean } from "../../src/node/Suggest.ts"

describe("didYouMean", () => {
  const names = ["customers", "orders", "totalPrice", "id", "map", "filter"]
  const cases: ReadonlyArray<readonly [wrong: string, meant: string | undefined]> = [
    ["custmers", "customers"],
    ["cutsomers", "customers"],
    ["Orders", "orders"],
    ["total_price", "totalPrice"],
    ["fliter", "filter"],
    ["mpa", "map"],
    ["weather", undefined],
    ["x", undefined],
    ["iid", "id"]
  ]
  for (const [wrong, meant] of cases) {
    it(`${wrong} -> ${meant}`, () => assert.strictEqual(didYouMean(wrong, names), meant))
  }

  it("prefers the nearest", () => assert.strictEqual(didYouMean("order", ["orderly", "orders", "border"]), "orders"))
})
