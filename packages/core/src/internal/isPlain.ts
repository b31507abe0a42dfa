/** A record: also of another realm, whose `Object.prototype` is another. */
export const isPlain = (value: object): boolean => {
  const proto = Object.getPrototypeOf(value)
  return proto === null || proto === Object.prototype ||
    (Object.getPrototypeOf(proto) === null && Object.hasOwn(proto, "hasOwnProperty"))
}
