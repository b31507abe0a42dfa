/** Streams of AWS: binary frames, each with a type in its headers and JSON in its body. */
import { EventStreamCodec } from "@smithy/eventstream-codec"
import { fromUtf8, toUtf8 } from "@smithy/util-utf8"

const codec = new EventStreamCodec(toUtf8, fromUtf8)

/** Each event is an object whose keys are types, and their values the bodies. */
export const binaryEvents = (events: ReadonlyArray<object>) =>
  Buffer.concat(
    events.flatMap((event) => Object.entries(event)).map(([type, payload]) =>
      codec.encode({
        headers: {
          ":event-type": { type: "string", value: type },
          ":message-type": { type: "string", value: "event" },
          ":content-type": { type: "string", value: "application/json" }
        },
        body: Buffer.from(JSON.stringify(payload))
      })
    )
  )
