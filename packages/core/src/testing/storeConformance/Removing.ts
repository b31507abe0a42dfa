import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { equal } from "../conformance/Check.ts"
import { opened, runStarted, warned } from "./Events.ts"
import { eventsOf } from "./Opening.ts"
import { id, refused, StoreGroup } from "./StoreCase.ts"

export const removing = new StoreGroup("removing")
  .test("takes a session out of everything", (store) =>
    Effect.gen(function*() {
      yield* Effect.scoped(Effect.flatMap(store.create(id("s"), opened({ labels: { a: "b" } })), (journal) =>
        journal.append([runStarted("hello")])))
      yield* Effect.scoped(store.create(id("other"), opened()))
      yield* store.send(id("s"), { _tag: "Interrupt", by: "ann" })
      yield* store.remove(id("s"))
      yield* refused(Stream.runCollect(store.read(id("s"))), "NotFound")
      yield* refused(store.claim(id("s")), "NotFound")
      equal(
        (yield* store.list({})).items.map(({ session }) =>
          session
        ),
        ["other"],
        "list"
      )
      equal((yield* store.list({ text: "hello" })).items, [], "by text")
      equal((yield* store.list({ labels: { a: "b" } })).items, [], "by label")
    }))
  .test("frees the id, and nothing of the old session is in the new one", (store) =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const old = yield* Effect.provideService(store.create(id("s"), opened()), Scope.Scope, scope)
      yield* old.append([warned(1)])
      yield* store.send(id("s"), { _tag: "Interrupt", by: "old" })
      yield* Scope.close(scope, Exit.void)
      yield* store.remove(id("s"))
      const journal = yield* store.create(id("s"), opened({ agent: "new" }))
      yield* refused(old.append([warned(2)]), "Fenced")
      yield* store.send(id("s"), { _tag: "Interrupt", by: "new" })
      const [first] = yield* Stream.runCollect(Stream.take(journal.signals, 1))
      equal(first!.signal.by, "new", "signal")
      equal(yield* eventsOf(store, "s"), [opened({ agent: "new" })], "events")
    }))

export const blobs = new StoreGroup("blobs")
  .open("are kept once, by content", (storage) =>
    Effect.gen(function*() {
      const [ours, theirs] = [yield* storage.connect(), yield* storage.connect()]
      const bytes = new TextEncoder().encode("hello")
      const ref = yield* ours.putBlob(bytes, "text/plain")
      equal(ref, {
        hash: "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        bytes: 5,
        mediaType: "text/plain"
      }, "ref")
      equal(yield* theirs.putBlob(bytes, "text/plain"), ref, "again")
      bytes.fill(0)
      const got = yield* theirs.getBlob(ref)
      equal([...got], [104, 101, 108, 108, 111], "bytes")
      got.fill(0)
      equal([...(yield* theirs.getBlob(ref))], [104, 101, 108, 108, 111], "bytes, whatever a reader does with its own")
    }))
  .test("may be empty, large, and of any bytes", (store) =>
    Effect.gen(function*() {
      const large = Uint8Array.from({ length: 3_000_000 }, (_, n) => (n * 31) % 256)
      for (const bytes of [new Uint8Array(0), Uint8Array.from({ length: 256 }, (_, n) => n), large]) {
        const got = yield* store.getBlob(yield* store.putBlob(bytes, "application/octet-stream"))
        equal([got.length, got.every((byte, n) => byte === bytes[n])], [bytes.length, true], `${bytes.length} bytes`)
      }
    }))
  .test(
    "that are not there are not found",
    (store) =>
      Effect.asVoid(refused(store.getBlob({ hash: `sha256:${"0".repeat(64)}`, bytes: 1, mediaType: "" }), "NotFound"))
  )
  .test("stay while a session refers to them", (store) =>
    Effect.gen(function*() {
      const blob = yield* store.putBlob(new Uint8Array([1, 2, 3]), "application/octet-stream")
      const event = { ...runStarted(), prompt: { _tag: "User" as const, content: [{ _tag: "Media" as const, blob }] } }
      for (const name of ["a", "b"]) {
        yield* Effect.scoped(Effect.flatMap(store.create(id(name), opened()), (journal) => journal.append([event])))
      }
      yield* store.remove(id("a"))
      equal([...(yield* store.getBlob(blob))], [1, 2, 3], "bytes")
    }))
