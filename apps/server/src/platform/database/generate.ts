import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbedded } from './embedded/embedded.ts'
import { type DatabaseColumn, introspect, type DatabaseSchema } from './introspect.ts'
import { migrate } from './migrate.ts'

const HEAD = 'Made by generate.ts from the migrations. Do not edit.'
const FILES = {
  tables: join(import.meta.dirname, 'tables.gen.ts'),
  schema: join(import.meta.dirname, 'schema.gen.sql'),
}

const SCALARS: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  float4: 'number',
  float8: 'number',
  int8: 'number',
  numeric: 'string',
  bool: 'boolean',
  timestamptz: 'Temporal.Instant',
  date: 'Temporal.PlainDate',
  bytea: 'Buffer',
  json: 'unknown',
  jsonb: 'unknown',
}

/** Domains of int8 whose values exceed what a number holds exactly. */
const BIGINT_DOMAINS = new Set(['units', 'account_number'])

/** Writes `tables.gen.ts` and `schema.gen.sql` from a database that the migrations have just made. */
export async function generate(): Promise<void> {
  const made = await makeBoth()
  await writeFile(FILES.tables, made.tables)
  await writeFile(FILES.schema, made.schema)
}

/** The names of generated files that are not what the migrations say; empty when all is well. */
export async function checkGenerated(): Promise<string[]> {
  const made = await makeBoth()
  const stale: string[] = []
  for (const kind of ['tables', 'schema'] as const) {
    if ((await readFile(FILES[kind], 'utf8').catch(() => '')) !== made[kind])
      stale.push(FILES[kind])
  }
  return stale
}

async function makeBoth(): Promise<{ tables: string; schema: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'duet-generate-'))
  try {
    const embedded = await openEmbedded({ data_dir: dataDir, durable: false })
    try {
      await migrate(embedded.connection)
      const client = new pg.Client(embedded.connection)
      await client.connect()
      const schema = await introspect(client)
      await client.end()
      return { tables: tablesFile(schema), schema: schemaFile(schema) }
    } finally {
      await embedded.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The Kysely interfaces of a schema, as the text of a module. */
export function tablesFile(schema: DatabaseSchema): string {
  const names = [...schema.tables, ...schema.views.map(({ name }) => name)].sort()
  const interfaces = names.map((table) => {
    const rows = schema.columns.filter((column) => column.table === table)
    return `export interface ${interfaceName(table)} {\n${rows.map((column) => `  ${column.name}: ${typeOf(column)}\n`).join('')}}\n`
  })
  const index = `export interface Tables {\n${names.map((table) => `  ${table}: ${interfaceName(table)}\n`).join('')}}\n`
  const amounts = [
    ...new Set(schema.columns.flatMap(({ domain, name }) => (domain === 'units' ? [name] : []))),
  ].sort()
  const amountsList = `/** The names of all columns of the domain units. */\nexport const AMOUNT_COLUMNS: ReadonlySet<string> = new Set([\n${amounts.map((name) => `  '${name}',\n`).join('')}])\n`
  const used = ['Generated', 'GeneratedAlways'].filter((name) =>
    interfaces.some((text) => text.includes(`${name}<`)),
  )
  const imports = used.length === 0 ? '' : `import type { ${used.join(', ')} } from 'kysely'\n\n`
  return `// ${HEAD}\n${imports}${[...interfaces, index, amountsList].join('\n')}`
}

function interfaceName(table: string): string {
  return `${table.replace(/(^|_)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())}Table`
}

function typeOf(column: DatabaseColumn): string {
  const isList = column.type_name.startsWith('_')
  const scalar =
    column.labels?.map((label) => `'${label}'`).join(' | ') ??
    (BIGINT_DOMAINS.has(column.domain ?? '') ? 'bigint' : undefined) ??
    SCALARS[column.type_name.replace(/^_/, '')] ??
    'string'
  const value = isList ? `${scalar}[]` : scalar
  const nullable = column.not_null || value === 'unknown' ? value : `${value} | null`
  if (column.identity === 'a' || column.generated !== '') return `GeneratedAlways<${nullable}>`
  return column.identity === 'd' || column.default_sql !== null
    ? `Generated<${nullable}>`
    : nullable
}

/** The schema as readable SQL: for reviews and search, not for loading (the migrations do that). */
export function schemaFile(schema: DatabaseSchema): string {
  const of = (parts: { table: string; sql: string }[], table: string) =>
    parts.filter((part) => part.table === table).map(({ sql }) => `${sql};`)
  const partitionBy = (table: string) => {
    const key = schema.partitioned.get(table)
    return key === undefined ? '' : ` partition by ${key}`
  }
  const tables = schema.tables.map((table) => {
    const lines = [
      ...schema.columns.filter((column) => column.table === table).map(columnLine),
      ...schema.constraints
        .filter((part) => part.table === table)
        .map(({ name, sql }) => `constraint ${name} ${sql}`),
    ]
    return [
      `create table ${table} (\n  ${lines.join(',\n  ')}\n)${partitionBy(table)};`,
      ...of(schema.indexes, table),
      ...of(schema.triggers, table),
    ].join('\n')
  })
  const blocks = [
    `-- ${HEAD}`,
    ...schema.enums.map(
      ({ name, labels }) =>
        `create type ${name} as enum (${labels.map((label) => `'${label}'`).join(', ')});`,
    ),
    ...schema.domains.map(({ sql }) => `${sql};`),
    ...schema.sequences.map((name) => `create sequence ${name};`),
    ...tables,
    ...schema.views.map(({ sql }) => sql),
    ...schema.functions.map((sql) => `${sql.trimEnd()};`),
  ]
  return `${blocks.join('\n\n')}\n`
}

function columnLine(column: DatabaseColumn): string {
  const identity =
    column.identity === ''
      ? ''
      : ` generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`
  const value =
    column.default_sql === null
      ? ''
      : column.generated === ''
        ? ` default ${column.default_sql}`
        : ` generated always as (${column.default_sql}) stored`
  return `${column.name} ${column.sql_type}${column.not_null ? ' not null' : ''}${identity}${value}`
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const stale = await checkGenerated()
    for (const file of stale)
      process.stderr.write(`${file} is not what the migrations say: run generate.ts\n`)
    process.exitCode = stale.length === 0 ? 0 : 1
  } else {
    await generate()
  }
}
