import { type Cassette, ReplayModel } from "@daylight/evals/cassette"

/** A model from a recording. */
export const replayModel = (cassette: Cassette) => ReplayModel.layer(cassette)
