/** Numbers as people read them. */
export const percent = (share: number): string => `${Math.round(share * 100)}%`
export const integer = (count: number): string => count.toLocaleString("en-US")
/** 1 is January. */
export const monthName = (month: number): string =>
  new Date(Date.UTC(2000, month - 1)).toLocaleString("en-US", { month: "long", timeZone: "UTC" })
