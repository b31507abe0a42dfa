/**
 * The key figures of the pipeline once more, by another way: plain SQL over the raw tables and a table of airport names
 * written by hand.
 */
import type { DatabaseSync } from "node:sqlite"

/** The register's spelling of every airport that the directory has. Barksdale Air Force Base is not in it. */
const CODES: Readonly<Record<string, string>> = {
  "ATLANTA INTL": "ATL",
  "ATLANTIC CITY INTL": "ACY",
  "AUSTIN-BERGSTROM INTL": "AUS",
  "BALTIMORE WASH INTL": "BWI",
  "CHARLESTON AFB/INTL ARPT": "CHS",
  "CHARLOTTE/DOUGLAS INTL ARPT": "CLT",
  "CHICAGO MIDWAY INTL ARPT": "MDW",
  "CHICAGO O'HARE INTL ARPT": "ORD",
  "CINCINNATI/NORTHERN KENTUCKY INTL ARPT": "CVG",
  "CLEVELAND-HOPKINS INTL ARPT": "CLE",
  "DALLAS/FORT WORTH INTL ARPT": "DFW",
  "DENVER INTL AIRPORT": "DEN",
  "DETROIT METRO WAYNE COUNTY ARPT": "DTW",
  "EPPLEY AIRFIELD": "OMA",
  "FORT LAUDERDALE/HOLLYWOOD INTL": "FLL",
  "GEORGE BUSH INTERCONTINENTAL": "IAH",
  "GREATER PITTSBURGH": "PIT",
  "HONOLULU INTL ARPT": "HNL",
  "HOUSTON-HOBBY": "HOU",
  "INDIANAPOLIS INTL": "IND",
  "JOHN F KENNEDY INTL": "JFK",
  "KANSAS CITY INTL": "MCI",
  "LAGUARDIA NY": "LGA",
  "LAMBERT-ST LOUIS INTL": "STL",
  "LIHUE ARPT": "LIH",
  "LOGAN INTL": "BOS",
  "LOS ANGELES INTL": "LAX",
  "LOUISVILLE INTL ARPT": "SDF",
  "MEMPHIS INTL": "MEM",
  "METRO OAKLAND INTL": "OAK",
  "MINETA SAN JOSE INTL": "SJC",
  "MINNEAPOLIS-ST PAUL INTL": "MSP",
  "NASHVILLE INTL": "BNA",
  "NEW ORLEANS INTL": "MSY",
  "NEWARK LIBERTY INTL ARPT": "EWR",
  "ORLANDO INTL": "MCO",
  "PHILADELPHIA INTL": "PHL",
  "PHOENIX SKY HARBOR": "PHX",
  "PORT COLUMBUS INTL": "CMH",
  "PORTLAND INTL (OR)": "PDX",
  "RONALD REAGAN WASHINGTON NATL": "DCA",
  "SACRAMENTO INTL": "SMF",
  "SALT LAKE CITY INTL": "SLC",
  "SAN ANTONIO INTL": "SAT",
  "SAN FRANCISCO INTL ARPT": "SFO",
  "SEATTLE-TACOMA INTL": "SEA",
  "TETERBORO AIRPORT": "TEB",
  "WASHINGTON DULLES INTL ARPT": "IAD",
  "WILL ROGERS WORLD ARPT": "OKC"
}

/** Adds the tables and views that the queries below read. */
export const prepareTruth = (db: DatabaseSync): void => {
  db.exec(`create table codes (place text, iata text)`)
  const insert = db.prepare("insert into codes values (?, ?)")
  for (const [place, iata] of Object.entries(CODES)) insert.run(place, iata)
  db.exec(`
    create view strike as
    select s."Airport Name" as place, codes.iata, s."Flight Date" as date, s."Wildlife Species" as species,
      cast(s."Cost Total $" as integer) as cost,
      s."Effect Amount of damage" <> 'None' or cast(s."Cost Repair" as integer) > 0 as damaging,
      s."Aircraft Airline Operator" not in ('MILITARY', 'UNKNOWN', 'FEDEX EXPRESS', 'UPS AIRLINES', 'ASTAR AIR CARGO', 'ABX AIR',
        'BUSINESS', 'PRIVATELY OWNED', 'EXECUTIVE JET AVIATION', 'GOVERNMENT') as airline
    from (select distinct * from birdstrikes) s left join codes on codes.place = s."Airport Name"`)
}

export interface TrueRate {
  readonly iata: string
  readonly strikes: number
  readonly per10k: number
  readonly damagingPer10k: number
}

export const trueRates = (db: DatabaseSync): ReadonlyArray<TrueRate> =>
  db.prepare(`
    with span as (select (julianday(max(date)) - julianday(min(date))) / 365.25 as years from strike),
      traffic as (select origin as iata, sum(cast(count as integer)) as departures from flights group by origin)
    select strike.iata as iata, count(*) as strikes, count(*) * 1e4 / departures / years as per10k, sum(damaging) * 1e4 / departures / years as damagingPer10k
    from strike join traffic on traffic.iata = strike.iata, span
    where airline and departures >= 10000
    group by strike.iata order by per10k desc`).all() as unknown as ReadonlyArray<TrueRate>

export const trueSeasons = (
  db: DatabaseSync
): ReadonlyArray<{ readonly month: number; readonly strikes: number; readonly damaging: number }> =>
  db.prepare(`
    select cast(substr(date, 6, 2) as integer) as month, count(*) as strikes, sum(damaging) as damaging
    from strike where date < '2002' group by month order by month`).all() as never

export const trueSpecies = (
  db: DatabaseSync
): ReadonlyArray<{ readonly name: string; readonly strikes: number; readonly shareOfCost: number }> =>
  db.prepare(`
    select species as name, count(*) as strikes, sum(cost) * 1.0 / (select sum(cost) from strike) as shareOfCost
    from strike where species not like 'Unknown%' group by species order by shareOfCost desc`).all() as never
