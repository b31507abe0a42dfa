/**
 * The rows that the agents hand to each other. The program imports these types, and the agents are shown the same text
 * (`typeBindings`), so what is declared and what is checked cannot drift apart.
 */

/** A row of the FAA wildlife strike register as published: everything is text. */
export interface RawStrike {
  readonly "Airport Name": string
  readonly "Aircraft Make Model": string
  readonly "Effect Amount of damage": string
  readonly "Flight Date": string
  readonly "Aircraft Airline Operator": string
  readonly "Origin State": string
  readonly "Phase of flight": string
  readonly "Wildlife Size": "Small" | "Medium" | "Large"
  readonly "Wildlife Species": string
  readonly "Time of day": string
  readonly "Cost Other": string
  readonly "Cost Repair": string
  readonly "Cost Total $": string
  readonly "Speed IAS in knots": string | null
}

/** A cleaned strike. `null` always means: not reported. */
export interface Strike {
  /** The airport as the register spells it. */
  readonly place: string
  /** Its code in the directory of airports. */
  airport: string | null
  /** ISO date. */
  readonly date: string
  /** 1 to 12. */
  readonly month: number
  readonly operator: string | null
  readonly kind: "airline" | "cargo" | "military" | "private" | "unknown"
  readonly phase: string
  readonly time: string
  readonly size: "Small" | "Medium" | "Large"
  readonly species: string | null
  readonly damaging: boolean
  readonly damage: string | null
  /** US dollars, adjusted for inflation. */
  readonly cost: number | null
  /** Knots. */
  readonly speed: number | null
}

/** An airport with its departures of one year. */
export interface Airport {
  readonly iata: string
  readonly name: string
  readonly city: string
  readonly state: string
  readonly latitude: number
  readonly longitude: number
  readonly departures: number
}

/** Airline strikes at one airport, set against its departures. Shares are between 0 and 1. */
export interface Rate extends Airport {
  readonly strikes: number
  readonly damaging: number
  /** Strikes of an average year for every 10,000 departures of a year. */
  readonly per10k: number
  readonly damagingPer10k: number
  readonly damagingShare: number
}

/** Strikes of one month, over complete years. */
export interface Season {
  readonly month: number
  readonly strikes: number
  readonly damaging: number
  readonly damagingShare: number
}

/** What one species does, as shares of all strikes and of all reported cost. */
export interface Species {
  readonly name: string
  readonly strikes: number
  readonly shareOfStrikes: number
  readonly shareOfCost: number
  readonly damagingShare: number
}
