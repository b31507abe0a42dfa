/**
 * A secret as a cell sees it: something to pass on, and nothing to read. The value itself stays with the application;
 * bound functions get it in place of this object.
 */

/** Has a name and no value: whatever it is turned into says `[secret NAME]`. */
export class Secret {
  readonly name: string

  constructor(name: string) {
    this.name = name
    Object.freeze(this)
  }

  toString(): string {
    return secretText(this.name)
  }

  toJSON(): string {
    return secretText(this.name)
  }

  [Symbol.toPrimitive](): string {
    return secretText(this.name)
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return secretText(this.name)
  }

  get [Symbol.toStringTag](): string {
    return "Secret"
  }
}

/** What stands for a secret's value wherever a text would show it. */
export const secretText = (name: string): string => `[secret ${name}]`
