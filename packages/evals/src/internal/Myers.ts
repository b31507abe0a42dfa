/**
 * The shortest edit script between two lists (Myers), as pairs of indices. Work grows with the length times the number
 * of differences; beyond a bound of differences the middle is given as removed and added.
 */

type Pair = readonly [a: number | undefined, b: number | undefined]

/** Differences that are searched for. */
const bound = 500

export const alignment = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const middle = search(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return [
    ...Array.from({ length: head }, (_, i): Pair => [i, i]),
    ...middle.map(([x, y]): Pair => [x === undefined ? undefined : x + head, y === undefined ? undefined : y + head]),
    ...Array.from({ length: tail }, (_, i): Pair => [a.length - tail + i, b.length - tail + i])
  ]
}

const search = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  const most = Math.min(a.length + b.length, bound)
  /** Furthest x on each diagonal, for each number of differences. */
  const trace: Array<Map<number, number>> = []
  let furthest = new Map([[1, 0]])
  for (let d = 0; d <= most; d++) {
    const next = new Map<number, number>()
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1))
      let x = down ? furthest.get(k + 1) ?? 0 : (furthest.get(k - 1) ?? 0) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      next.set(k, x)
      if (x >= a.length && x - k >= b.length) return walkBack(a.length, b.length, [...trace, next])
    }
    trace.push(next)
    furthest = next
  }
  return [...a.map((_, i): Pair => [i, undefined]), ...b.map((_, i): Pair => [undefined, i])]
}

const walkBack = (endA: number, endB: number, trace: ReadonlyArray<Map<number, number>>): ReadonlyArray<Pair> => {
  const pairs: Array<Pair> = []
  let x = endA
  let y = endB
  for (let d = trace.length - 1; d > 0; d--) {
    const before = trace[d - 1]!
    const k = x - y
    const down = k === -d || (k !== d && (before.get(k - 1) ?? -1) < (before.get(k + 1) ?? -1))
    const fromX = before.get(down ? k + 1 : k - 1) ?? 0
    const fromY = fromX - (down ? k + 1 : k - 1)
    const [startX, startY] = down ? [fromX, fromY + 1] : [fromX + 1, fromY]
    while (x > startX && y > startY) pairs.push([--x, --y])
    pairs.push(down ? [undefined, --y] : [--x, undefined])
  }
  while (x > 0 && y > 0) pairs.push([--x, --y])
  return pairs.reverse()
}
