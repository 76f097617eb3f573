import type pg from 'pg'

export interface DatabaseColumn {
  table: string
  name: string
  /** In SQL's notation: `character varying(40)`. */
  sql_type: string
  /** The type's own name: `varchar`, `_int4`, or the base of a domain. */
  type_name: string
  /** The name of the column's domain. */
  domain: string | null
  /** The values of an enumerated type. */
  labels: string[] | null
  not_null: boolean
  default_sql: string | null
  identity: '' | 'a' | 'd'
  generated: '' | 's' | 'v'
}

export interface DatabasePart {
  table: string
  name: string
  sql: string
}

/** A row that a function takes as JSON or gives as its table. */
export interface RowType {
  readonly name: string
  readonly keys: readonly string[]
  /** Null: of the table that a function returns. */
  readonly sql: string | null
}

/** The schema of a database in a fixed order, read from the catalogue in a form that PostgreSQL 15 to 18 share. */
export interface DatabaseSchema {
  tables: string[]
  /** The partition key of each partitioned table: `RANGE (at)`. */
  partitioned: ReadonlyMap<string, string>
  columns: DatabaseColumn[]
  constraints: (DatabasePart & { kind: string })[]
  indexes: DatabasePart[]
  triggers: DatabasePart[]
  functions: string[]
  readonly row_types: readonly RowType[]
  views: DatabasePart[]
  sequences: string[]
  enums: { name: string; labels: string[] }[]
  domains: { name: string; sql: string }[]
}

const IN_PUBLIC = `n.nspname = 'public'`
const NOT_OF_EXTENSION = (oid: string, catalogue: string) =>
  `not exists (select from pg_depend d where d.objid = ${oid} and d.classid = '${catalogue}'::regclass and d.deptype = 'e')`

/** Partitions are created as time passes, so they are not part of the schema that the migrations define. */
const NOT_A_PARTITION = 'not c.relispartition'

const COLUMNS = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as sql_type,
    coalesce(b.typname, t.typname) as type_name, case when t.typtype = 'd' then t.typname end as domain,
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid) as labels,
    a.attnotnull as not_null, pg_get_expr(f.adbin, f.adrelid) as default_sql, a.attidentity as identity, a.attgenerated as generated
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid left join pg_type b on b.oid = nullif(t.typbasetype, 0)
  left join pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
  where ${IN_PUBLIC} and c.relkind in ('r', 'p', 'v', 'm') and ${NOT_A_PARTITION} and a.attnum > 0 and not a.attisdropped
  order by c.relname collate "C", a.attnum`

const TABLES = `
  select c.relname as name, pg_get_partkeydef(c.oid) as partitioned_by from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${IN_PUBLIC} and c.relkind in ('r', 'p') and ${NOT_A_PARTITION} and ${NOT_OF_EXTENSION('c.oid', 'pg_class')} order by c.relname collate "C"`

// Only PostgreSQL 18 lists kind n (not null), and the columns contain it already.
const CONSTRAINTS = `
  select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as sql, k.contype as kind
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where ${IN_PUBLIC} and ${NOT_A_PARTITION} and k.contype in ('p', 'u', 'f', 'c', 'x') order by c.relname collate "C", k.contype = 'f', k.conname collate "C"`

const INDEXES = `
  select c.relname as "table", i.relname as name, pg_get_indexdef(x.indexrelid) as sql
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace
  where ${IN_PUBLIC} and ${NOT_A_PARTITION} and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))
  order by c.relname collate "C", i.relname collate "C"`

const TRIGGERS = `
  select c.relname as "table", g.tgname as name, pg_get_triggerdef(g.oid) as sql
  from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where ${IN_PUBLIC} and ${NOT_A_PARTITION} and not g.tgisinternal order by c.relname collate "C", g.tgname collate "C"`

const FUNCTIONS = `
  select coalesce('-- ' || obj_description(p.oid, 'pg_proc') || chr(10), '') || pg_get_functiondef(p.oid) as sql from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${IN_PUBLIC} and p.prokind in ('f', 'p') and ${NOT_OF_EXTENSION('p.oid', 'pg_proc')}
  order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`

/** Rows that are no table: of composite types, and of the tables that functions return. */
const ROW_TYPES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as keys,
    coalesce('-- ' || obj_description(t.oid, 'pg_type') || chr(10), '') || 'create type ' || quote_ident(c.relname) || ' as ('
      || string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) || ')' as sql
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = c.reltype
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where ${IN_PUBLIC} and c.relkind = 'c' group by c.relname, t.oid
  union all
  select p.proname, array_agg(argument.name order by argument.n), null
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
    unnest(p.proargnames, p.proargmodes) with ordinality as argument (name, mode, n)
  where ${IN_PUBLIC} and argument.mode = 't' and ${NOT_OF_EXTENSION('p.oid', 'pg_proc')} group by p.oid, p.proname
  order by 1`

const VIEWS = `
  select c.relname as "table", c.relname as name,
    'create ' || case c.relkind when 'm' then 'materialized ' else '' end || 'view ' || quote_ident(c.relname) || ' as' || chr(10) || pg_get_viewdef(c.oid) as sql
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${IN_PUBLIC} and c.relkind in ('v', 'm') and ${NOT_OF_EXTENSION('c.oid', 'pg_class')} order by c.relname collate "C"`

const SEQUENCES = `
  select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${IN_PUBLIC} and c.relkind = 'S' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('i', 'a', 'e'))
  order by c.relname collate "C"`

const ENUMS = `
  select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as labels
  from pg_type t join pg_namespace n on n.oid = t.typnamespace join pg_enum e on e.enumtypid = t.oid
  where ${IN_PUBLIC} group by t.typname order by t.typname collate "C"`

const DOMAINS = `
  select t.typname as name, 'create domain ' || quote_ident(t.typname) || ' as ' || format_type(t.typbasetype, t.typtypmod)
    || coalesce((select string_agg(' ' || pg_get_constraintdef(k.oid), '' order by k.conname) from pg_constraint k where k.contypid = t.oid and k.contype = 'c'), '') as sql
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where ${IN_PUBLIC} and t.typtype = 'd' order by t.typname collate "C"`

/** Reads the schema `public`. */
export async function introspect(client: pg.Pool | pg.ClientBase): Promise<DatabaseSchema> {
  const read = async <Row extends pg.QueryResultRow>(query: string) =>
    (await client.query<Row>(query)).rows
  const tables = await read<{ name: string; partitioned_by: string | null }>(TABLES)
  return {
    tables: tables.map(({ name }) => name),
    partitioned: new Map(
      tables.flatMap(({ name, partitioned_by }) =>
        partitioned_by === null ? [] : [[name, partitioned_by] as const],
      ),
    ),
    columns: await read<DatabaseColumn>(COLUMNS),
    constraints: await read<DatabasePart & { kind: string }>(CONSTRAINTS),
    indexes: await read<DatabasePart>(INDEXES),
    triggers: await read<DatabasePart>(TRIGGERS),
    functions: (await read<{ sql: string }>(FUNCTIONS)).map(({ sql }) => sql),
    row_types: await read<RowType>(ROW_TYPES),
    views: await read<DatabasePart>(VIEWS),
    sequences: (await read<{ name: string }>(SEQUENCES)).map(({ name }) => name),
    enums: await read<{ name: string; labels: string[] }>(ENUMS),
    domains: await read<{ name: string; sql: string }>(DOMAINS),
  }
}
