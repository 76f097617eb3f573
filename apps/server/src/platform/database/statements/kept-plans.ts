import type pg from 'pg'

/** A statement beyond this number is parsed and planned each time: each connection keeps the plans of all names. */
const NAMES_MAX = 1000
/** The best plan of a page depends on its values, and a list of values makes another text for each length. */
const PLANNED_EACH_TIME = /\blimit\b| in \(\$\d+, /

/**
 * Makes the connections of one pool keep the plans of statements: each text gets a name, so that a connection parses it once, and
 * PostgreSQL may use its plan again. `db` must run all statements of the pool through connections that were given to this function.
 *
 * A change of a table makes a kept plan useless. A statement outside of a transaction is then repeated without a name; a transaction
 * fails with an error for which `isOutdatedPlan` is true, and `transact` repeats it.
 */
export function createPlanKeeper(): (client: pg.ClientBase) => void {
  const names = new Map<string, string>()
  let named = 0

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= NAMES_MAX || PLANNED_EACH_TIME.test(text)) return known
    const name = `duet_${(named += 1)}`
    names.set(text, name)
    return name
  }

  return (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
    const run = (config: pg.QueryConfig) => query(config)
    Object.assign(client, {
      async query(...given: unknown[]): Promise<unknown> {
        const [text, values] = given
        // Anything else than a text with values comes from the pool itself.
        if (given.length !== 2 || typeof text !== 'string' || !Array.isArray(values))
          return query(...given)
        const name = values.length > 0 ? nameOf(text) : undefined
        if (name === undefined) return run({ text, values })
        const isInTransaction = transactionStatusOf(client) !== 'I'
        try {
          return await run({ name, text, values })
        } catch (error) {
          if (!isOutdatedPlan(error)) throw error
          names.clear()
          if (isInTransaction) throw error
          return run({ text, values })
        }
      },
    })
  }
}

/** Whether a statement failed because its table was changed since its plan was made; nothing of it has happened. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** I: in no transaction. T: in one. E: in one that failed. */
function transactionStatusOf(client: pg.ClientBase): string | null {
  return (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus()
}
