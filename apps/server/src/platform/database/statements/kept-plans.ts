import type pg from 'pg'

/** A text that ran less often keeps no plan: a plan is about 40 KB of the database's memory, on each connection. */
const RUNS_BEFORE_NAME = 20
const TEXTS_MAX = 1000
const NAMES_MAX = 250
/** The best plan of a page depends on its values, and a list of values or of rows makes another text for each length. */
const PLANNED_EACH_TIME = /\blimit\b| in \(\$\d+, |\), \(\$/

/**
 * Keeps the plans of frequent statements in the connections of one pool. A frequent text gets a name, so
 * that a connection parses it once and PostgreSQL may reuse its plan. The pool gives each of its
 * connections to the returned function.
 *
 * A changed table makes a plan useless. Connections then forget all their plans. A statement outside of a
 * transaction is repeated. A transaction fails with an error for which `isOutdatedPlan` is true, and
 * `transact` repeats the transaction.
 */
export function createPlanKeeper(): (client: pg.ClientBase) => void {
  const names = createNames()
  /** How often tables have changed. A connection with an older number has plans of before. */
  let changes = 0

  return (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
    let changesSeen = changes
    Object.assign(client, {
      async query(...given: unknown[]): Promise<unknown> {
        const [text, values] = given
        // Anything else than a text with values comes from the pool itself.
        const isStatement = given.length === 2 && typeof text === 'string' && Array.isArray(values)
        const name = isStatement && values.length > 0 ? names.of(text) : undefined
        if (name === undefined) return query(...given)
        if (changesSeen !== changes) {
          changesSeen = changes
          await query('deallocate all')
        }
        const isInTransaction = client.getTransactionStatus() !== 'I'
        try {
          // `pg` remembers the names that it has used, so each change of a table begins new names.
          return await query({ name: `${name}_${changesSeen}`, text, values })
        } catch (error) {
          if (!isOutdatedPlan(error)) throw error
          changes += 1
          if (isInTransaction) throw error
          return query(...given)
        }
      },
    })
  }
}

function createNames(): { of(text: string): string | undefined } {
  const runs = new Map<string, number>()
  const names = new Map<string, string>()
  return {
    of(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= NAMES_MAX || PLANNED_EACH_TIME.test(text))
        return known
      const run = (runs.get(text) ?? 0) + 1
      if (run > 1 || runs.size < TEXTS_MAX) runs.set(text, run)
      if (run < RUNS_BEFORE_NAME) return undefined
      const name = `duet_${names.size + 1}`
      names.set(text, name)
      return name
    },
  }
}

/** Whether a statement failed because its table was changed since its plan was made; nothing of it has happened. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
