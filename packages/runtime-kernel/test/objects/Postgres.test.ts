import { Binding, type Bound } from "@daylight/core"
import { Pool } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Server, serverIsThere, startServer } from "../support/postgres.ts"
import { openSession, type Session, until } from "../support/session.ts"

describe.skipIf(!serverIsThere)("a pool of pg (skipped where the packages bring no server)", () => {
  let server: Server
  let pool: Pool
  let session: Session

  beforeAll(async () => {
    server = await startServer()
    pool = new Pool({ connectionString: server.url, max: 4 })
    session = await openSession({ bindings: [Binding.variable("pool", pool) as Bound] })
    await pool.query("create table account (id integer primary key, name text, balance integer check (balance >= 0))")
    await pool.query("insert into account values (1, 'ada', 10), (2, 'bob', 20)")
  }, 60_000)
  afterAll(async () => {
    await session?.close()
    await pool?.end()
    await server?.dispose()
  }, 30_000)

  const gives = (what: string, code: string, expected: unknown): void => {
    it(what, async () => assert.deepStrictEqual(await session.value(code), expected), 20_000)
  }

  gives(
    "answers a query with parameters",
    "const { rows, rowCount, fields } = await pool.query('select name, balance from account where id = $1', [1]); [rows, rowCount, fields.map(({ name }) => name)]",
    [[{ name: "ada", balance: 10 }], 1, ["name", "balance"]]
  )
  gives(
    "answers queries side by side",
    "const all = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => pool.query('select $1::int + pg_backend_pid() * 0 as n, pg_sleep(0.05)', [n]))); [all.map(({ rows }) => rows[0].n), pool.totalCount > 1]",
    [[1, 2, 3, 4, 5, 6], true]
  )
  gives(
    "lends a client, which is given back",
    "const client = await pool.connect(); let one; try { one = (await client.query('select 1 as one')).rows[0].one } finally { client.release() }\n[one, pool.idleCount === pool.totalCount]",
    [1, true]
  )
  gives(
    "runs a transaction, and takes it back after an error",
    `const transfer = async (amount) => {
      const client = await pool.connect()
      try {
        await client.query("begin")
        await client.query("update account set balance = balance + $1 where id = 2", [amount])
        await client.query("update account set balance = balance - $1 where id = 1", [amount])
        await client.query("commit")
        return "done"
      } catch (error) {
        await client.query("rollback")
        return error.code
      } finally {
        client.release()
      }
    }
    const ends = [await transfer(3), await transfer(300)]
    const after = await pool.query("select balance from account order by id")
    ;[ends, after.rows.map(({ balance }) => balance)]`,
    [["done", "23514"], [7, 23]]
  )
  gives(
    "throws the errors of Postgres with their fields",
    "let failed; try { await pool.query('select nothing from nowhere') } catch (error) { failed = error }\n[failed instanceof Error, failed.name, failed.message, failed.code, failed.severity, failed.position, /cell-/.test(failed.stack)]",
    [true, "error", 'relation "nowhere" does not exist', "42P01", "ERROR", "21", true]
  )
  gives(
    "gives bytes, dates, JSON, large numbers and arrays as what they are",
    `const { rows: [row] } = await pool.query("select '\\\\x0102ff'::bytea b, '2020-01-02T03:04:05Z'::timestamptz d, '{\\"a\\": [1, {\\"b\\": null}]}'::jsonb j, 9007199254740993::bigint n, array[1, 2] a, null z, 1.5::float8 f, true t")
    ;[row.b instanceof Uint8Array, [...row.b], row.d instanceof Date, row.d.toISOString(), row.j, BigInt(row.n), row.a, row.z, row.f, row.t]`,
    [
      true,
      [1, 2, 255],
      true,
      "2020-01-02T03:04:05.000Z",
      { a: [1, { b: null }] },
      9007199254740993n,
      [1, 2],
      null,
      1.5,
      true
    ]
  )
  gives(
    "takes bytes, dates, records and nothing as parameters",
    "const sent = await pool.query('select $1::bytea b, $2::timestamptz d, $3::jsonb j, $4::int[] a, $5::text z, $6::bigint n', [new Uint8Array([1, 2]), new Date(0), { a: 1 }, [1, 2], null, 12345678901n]); const [r] = sent.rows; [[...r.b], r.d.getTime(), r.j, r.a, r.z, r.n]",
    [[1, 2], 0, { a: 1 }, [1, 2], null, "12345678901"]
  )
  gives(
    "tells its events to a function of the cell",
    "const heard = []; const onConnect = () => heard.push('connect'), onError = (error) => heard.push(error.message); pool.on('acquire', onConnect).on('error', onError); await pool.query('select 1'); pool.off('acquire', onConnect); heard",
    ["connect"]
  )
  it("tells of connections that broke while nobody used them", async () => {
    const broken = pool.totalCount - 1
    await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = 'daylight'"
    )
    await until(() => pool.totalCount === 1)
    const told = await session.value("heard.slice(1)") as ReadonlyArray<string>
    assert.isAbove(broken, 0)
    assert.deepStrictEqual(told, told.map(() => "terminating connection due to administrator command"))
    assert.lengthOf(told, broken)
  })
  gives(
    "gives notices and notifications to functions of the cell",
    `const listener = await pool.connect()
    const told = new Promise((done) => listener.on("notification", ({ channel, payload }) => done([channel, payload])))
    await listener.query("listen news"); await pool.query("notify news, 'hello'")
    const news = await told; listener.release(); news`,
    ["news", "hello"]
  )
  gives(
    "has rows by another query form, by callback, and typed fields",
    "const viaConfig = await pool.query({ text: 'select $1::int as a, 2 as b', values: [1], rowMode: 'array' }); const viaCallback = await new Promise((done, fail) => pool.query('select 3 as c', (error, result) => error ? fail(error) : done(result.rows))); [viaConfig.rows, viaCallback]",
    [[[1, 2]], [{ c: 3 }]]
  )

  it("lives on when the kernel is killed in a query, and serves the next cell", async () => {
    await session.value("let kept = 1")
    const { ran } = session.start("kept = 2; await pool.query('select pg_sleep(0.3), 1 as slow'); kept = 3")
    await until(() => pool.totalCount - pool.idleCount === 1)
    await session.kill()
    const { report } = await ran
    assert.deepStrictEqual([report.problem?.stage, report.problem?.name], ["crash", "Crash"])
    assert.deepStrictEqual(await session.value("[kept, (await pool.query('select 4 as n')).rows[0].n]"), [1, 4])
    await until(() => pool.idleCount === pool.totalCount)
    assert.strictEqual(pool.waitingCount, 0)
  }, 20_000)
})
