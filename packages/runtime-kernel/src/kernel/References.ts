/**
 * Live objects of the host, as a cell sees them: properties, methods, iteration and `instanceof` are those of the
 * object itself, which stays where it is. The same object is the same reference for as long as the cell holds it.
 */
import { presentAs, type PrintLimits, type Sight } from "@daylight/core/node"
import type { Operation, ReferenceWire, Shape } from "../wire/Messages.ts"

/** What a reference needs of the process. */
export interface Operator {
  /** `posts`: gives a promise at once. */
  readonly operate: (
    id: number,
    op: Operation,
    key: string | undefined,
    args: ReadonlyArray<unknown>,
    posts: boolean
  ) => unknown
  readonly shape: (id: number) => Shape
  /** How the host's object looks now; nothing where it is gone. */
  readonly sight: (id: number, limits: PrintLimits) => Sight | undefined
  readonly release: (id: number, count: number) => void
}

interface Held {
  readonly proxy: WeakRef<object>
  /** How often the host has sent it. */
  count: number
}

type Method = (this: unknown, ...args: Array<unknown>) => unknown

/** Never asked of the host: they would reach what makes objects, or turn a reference into something it is not. */
const unasked = new Set([
  "constructor",
  "__proto__",
  "prototype",
  "then",
  "toJSON",
  "inspect",
  "nodeType",
  "asymmetricMatch"
])

export class References {
  readonly #operator: Operator
  readonly #held = new Map<number, Held>()
  readonly #ids = new WeakMap<object, number>()
  readonly #prototypes = new Map<number, object>()
  readonly #collected = new FinalizationRegistry<number>((id) => this.#gone(id))

  constructor(operator: Operator) {
    this.#operator = operator
  }

  get size(): number {
    return this.#held.size
  }

  /** The number of the host's object that this stands for. */
  idOf(value: object): number | undefined {
    return this.#ids.get(value)
  }

  of(wire: ReferenceWire): object {
    const held = this.#held.get(wire.id)
    const known = held?.proxy.deref()
    if (known !== undefined) {
      held!.count++
      return known
    }
    const proxy = this.#make(wire, undefined)
    this.#hold(wire.id, proxy, (held?.count ?? 0) + 1)
    return proxy
  }

  /** Stands for an object that is gone; every use says so. */
  lost(type: string, fail: () => never): object {
    const target = presentAs(
      new Proxy({}, Object.fromEntries(traps.map((trap) => [trap, fail])) as never),
      { type, text: `[lost ${type}]` }
    )
    return target
  }

  #hold(id: number, proxy: object, count: number): void {
    this.#held.set(id, { proxy: new WeakRef(proxy), count })
    this.#ids.set(proxy, id)
    this.#collected.register(proxy, id)
  }

  #gone(id: number): void {
    const held = this.#held.get(id)
    if (held === undefined || held.proxy.deref() !== undefined) return
    this.#held.delete(id)
    this.#operator.release(id, held.count)
  }

  #make(wire: ReferenceWire, newTarget: { readonly prototype: object } | undefined): object {
    const { name, shape } = wire
    if (wire.kind === "object") {
      const prototype = newTarget?.prototype ?? (shape === undefined ? Object.prototype : this.#prototype(shape))
      const target = Object.create(prototype) as object
      for (const symbol of wire.symbols ?? []) this.#symbol(target, symbol)
      return presentAs(
        new Proxy(target, this.#handler(wire)),
        {
          type: name || "Object",
          text: `[host ${name || "Object"}]`,
          look: (limits) => this.#operator.sight(wire.id, limits)
        }
      )
    }
    const target = wire.kind === "class" ? function() {} : { method() {} }.method
    Object.defineProperty(target, "name", { value: name, configurable: true })
    Object.defineProperty(target, "length", { value: wire.length ?? 0, configurable: true })
    if (wire.kind === "class" && shape !== undefined) target.prototype = this.#prototype(shape)
    return presentAs(
      new Proxy(target, this.#callable(wire)),
      { type: wire.kind, text: wire.kind === "class" ? `[class ${name}]` : `[Function: ${name || "(anonymous)"}]` }
    )
  }

  #handler(wire: ReferenceWire): ProxyHandler<object> {
    const { id } = wire
    const posts = new Set(Array.isArray(wire.posts) ? wire.posts as ReadonlyArray<string> : [])
    const own = new Map<string, Method>()
    for (const key of [...wire.methods ?? [], ...posts]) own.set(key, this.#method(key, posts.has(key)))
    const get = (key: string): unknown => this.#operator.operate(id, "get", key, [], false)
    return {
      get: (target, key, receiver) => {
        if (typeof key === "symbol") return Reflect.get(target, key, receiver)
        const method = own.get(key)
        if (method !== undefined) return method
        if (key in target) return Reflect.get(target, key, receiver)
        if (key === "then" && wire.thenable === true) {
          return (...args: Array<unknown>) => this.#operator.operate(id, "call", key, args, false)
        }
        return unasked.has(key) ? undefined : get(key)
      },
      set: (target, key, value, receiver) => {
        if (typeof key === "symbol") throw new TypeError("symbols of a host object cannot be set")
        if (own.has(key)) throw new TypeError(`Cannot assign to '${key}': it is read-only`)
        const inherited = inheritedDescriptor(target, key)
        if (inherited?.set !== undefined) return Reflect.set(target, key, value, receiver)
        if (Object.hasOwn(target, key)) return Reflect.defineProperty(target, key, { value })
        this.#operator.operate(id, "set", key, [value], false)
        return true
      },
      has: (target, key) =>
        key in target ||
        (typeof key === "string" && (own.has(key) || this.#operator.operate(id, "has", key, [], false) === true)),
      ownKeys: (target) => {
        const remote = this.#operator.operate(id, "keys", undefined, [], false) as ReadonlyArray<string>
        return [...new Set([...Reflect.ownKeys(target), ...remote])]
      },
      getOwnPropertyDescriptor: (target, key) => {
        const local = Reflect.getOwnPropertyDescriptor(target, key)
        if (local !== undefined || typeof key === "symbol" || unasked.has(key)) return local
        const found = this.#operator.operate(id, "own", key, [], false) as { readonly enumerable: boolean } | undefined
        if (found === undefined) return undefined
        return { value: own.get(key) ?? get(key), enumerable: found.enumerable, configurable: true, writable: true }
      },
      // Fields of a class of the cell that extends the host's are the cell's own.
      defineProperty: (target, key, descriptor) =>
        Reflect.defineProperty(target, key, { ...descriptor, configurable: true }),
      deleteProperty: (target, key) => {
        if (Object.hasOwn(target, key)) return Reflect.deleteProperty(target, key)
        throw new TypeError(`Cannot delete '${String(key)}' of a host object`)
      },
      setPrototypeOf: () => false,
      preventExtensions: () => false
    }
  }

  #callable(wire: ReferenceWire): ProxyHandler<object> {
    const { id } = wire
    const base = this.#handler(wire)
    return {
      ...base,
      get: (target, key, receiver) =>
        typeof key === "string" && (key in target || key in Function.prototype) && !unasked.has(key)
          ? Reflect.get(target, key, receiver)
          : key === "prototype"
          ? Reflect.get(target, key, receiver)
          : base.get!(target, key, receiver),
      apply: (_target, self, args) => {
        void self
        return this.#operator.operate(id, "call", undefined, args, wire.posts === true)
      },
      construct: (target, args, newTarget) => {
        const made = this.#operator.operate(id, "construct", undefined, args, false)
        const madeId = typeof made === "object" && made !== null ? this.#ids.get(made) : undefined
        if (madeId === undefined || newTarget.prototype === (target as { prototype?: unknown }).prototype) {
          return made as object
        }
        return this.#derived(madeId, newTarget as never, made as object)
      }
    }
  }

  /** An instance of a class of the cell that extends a class of the host. */
  #derived(id: number, newTarget: { readonly prototype: object }, made: object): object {
    const proxy = this.#make({ id, kind: "object", name: "" }, newTarget)
    // The plain reference lives as long as this one: it is counted with the host.
    derivedFrom.set(proxy, made)
    this.#ids.set(proxy, id)
    return proxy
  }

  #prototype(id: number): object {
    const known = this.#prototypes.get(id)
    if (known !== undefined) return known
    const { accessors, methods, name, parent, symbols } = this.#operator.shape(id)
    const prototype = Object.create(parent === undefined ? Object.prototype : this.#prototype(parent)) as object
    this.#prototypes.set(id, prototype)
    for (const key of methods) hide(prototype, key, this.#method(key, false))
    for (const key of accessors) this.#accessor(prototype, key)
    for (const symbol of symbols) this.#symbol(prototype, symbol)
    hide(prototype, "constructor", nameOnly(name))
    // Namespaces that are near each other share it.
    return Object.freeze(prototype)
  }

  #method(key: string, posts: boolean): Method {
    const references = this
    const holder = {
      [key](this: unknown, ...args: Array<unknown>): unknown {
        return references.#operator.operate(references.#self(this, key), "call", key, args, posts)
      }
    }
    return holder[key]!
  }

  #accessor(prototype: object, key: string): void {
    const references = this
    Object.defineProperty(prototype, key, {
      get(this: unknown) {
        return references.#operator.operate(references.#self(this, key), "get", key, [], false)
      },
      set(this: unknown, value: unknown) {
        references.#operator.operate(references.#self(this, key), "set", key, [value], false)
      },
      configurable: true
    })
  }

  #symbol(prototype: object, name: string): void {
    const references = this
    const symbol = (Symbol as unknown as Record<string, symbol>)[name]
    if (symbol === undefined) return
    const method = name === "iterator"
      ? function(this: unknown) {
        return references.#iterator(references.#self(this, name), false)
      }
      : name === "asyncIterator"
      ? function(this: unknown) {
        return references.#iterator(references.#self(this, name), true)
      }
      : function(this: unknown) {
        return references.#operator.operate(
          references.#self(this, name),
          "call",
          `@@${name}`,
          [],
          name === "asyncDispose"
        )
      }
    Object.defineProperty(prototype, symbol, { value: method, writable: true, configurable: true })
  }

  /** Steps through the host's own iterator, one item at a time, and closes it where the loop is left early. */
  #iterator(id: number, asynchronous: boolean): object {
    const made = this.#operator.operate(
      id,
      "call",
      asynchronous ? "@@asyncIterator" : "@@iterator",
      [],
      false
    ) as object
    const iterator = this.#ids.get(made)
    if (iterator === undefined) return made
    const step = (op: "next" | "stop", args: ReadonlyArray<unknown>): unknown => {
      void made // held until the loop is over
      return this.#operator.operate(iterator, op, undefined, args, false)
    }
    return {
      next: (...args: Array<unknown>) => step("next", args),
      return: (value: unknown) => {
        const end = step("stop", [])
        const last = { value, done: true }
        return asynchronous ? Promise.resolve(end).then(() => last) : last
      },
      [asynchronous ? Symbol.asyncIterator : Symbol.iterator]() {
        return this
      }
    }
  }

  #self(self: unknown, key: string): number {
    const id = typeof self === "object" && self !== null ? this.#ids.get(self) : undefined
    if (id === undefined) throw new TypeError(`${key} was called on something that is no host object of its class`)
    return id
  }
}

const derivedFrom = new WeakMap<object, object>()

const traps = ["get", "set", "has", "ownKeys", "getOwnPropertyDescriptor", "apply", "construct"] as const

const inheritedDescriptor = (target: object, key: string): PropertyDescriptor | undefined => {
  for (
    let p = Object.getPrototypeOf(target) as object | null;
    p !== null;
    p = Object.getPrototypeOf(p) as object | null
  ) {
    const own = Object.getOwnPropertyDescriptor(p, key)
    if (own !== undefined) return own
  }
  return undefined
}

const hide = (target: object, key: string, value: unknown): void => {
  Object.defineProperty(target, key, { value, writable: true, configurable: true, enumerable: false })
}

/** What `constructor` of a reference is: a name, and nothing that makes code. */
const nameOnly = (name: string): object => Object.freeze({ name })
