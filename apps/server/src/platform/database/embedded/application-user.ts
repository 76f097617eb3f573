import pg from 'pg'

/**
 * The database user of the server's queries. It reads and writes rows, but owns no table. So even an
 * attacker's query cannot switch off the triggers of the ledger, change a table or become another user.
 */
export const APPLICATION_USER = 'duet_application'

/** Creates the user where it is missing. The password is the owner's: only processes of the same machine know it. */
export async function createApplicationUser(
  owner: pg.Client,
  password: string | undefined,
): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [
    APPLICATION_USER,
  ])
  if (rowCount !== 0) return
  const secret = password === undefined ? '' : ` password ${pg.escapeLiteral(password)}`
  await owner.query(`create role ${APPLICATION_USER} login${secret}`)
}

/** Allows the user, where it exists, to read and write the rows of all tables but the record of migrations. */
export async function grantRows(owner: pg.Client): Promise<void> {
  const { rowCount } = await owner.query(
    `select from pg_roles, pg_class
    where rolname = $1 and relnamespace = 'public'::regnamespace and relname <> 'schema_migrations'
      and case relkind
        when 'S' then not has_sequence_privilege(rolname, pg_class.oid, 'usage')
        when 'r' then not has_table_privilege(rolname, pg_class.oid, 'insert')
        when 'p' then not has_table_privilege(rolname, pg_class.oid, 'insert')
        else false end
    limit 1`,
    [APPLICATION_USER],
  )
  if (rowCount === 0) return
  await owner.query(`
    grant select, insert, update, delete on all tables in schema public to ${APPLICATION_USER};
    grant usage, select on all sequences in schema public to ${APPLICATION_USER};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${APPLICATION_USER};
    alter default privileges in schema public grant usage, select on sequences to ${APPLICATION_USER};
    revoke insert, update, delete on schema_migrations from ${APPLICATION_USER}`)
}
