import { z } from 'zod'
import { StartRefused } from './start-refused.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Variables of the environment by their names. The metadata of a schema are a description, `must_be` and
 * `secret`. `must_be` ends the sentence "NAME must be …". A default is text, as in the environment.
 */
type Variables = Readonly<Record<string, z.ZodType>>

/** The parsed variables; a variable without a value or a default is undefined. */
export type Values<V extends Variables> = {
  readonly [Name in keyof V]: V[Name] extends z.ZodPrefault
    ? z.output<V[Name]>
    : z.output<V[Name]> | undefined
}

/** The parts of the configuration that the checks of other parts need. */
export interface Installation {
  readonly production: boolean
  /** Absolute. */
  readonly data_dir: string
}

export const text = (mustBe: string, least = 1, most = Infinity) =>
  z.string().min(least).max(most).meta({ must_be: mustBe })
export const secret = (mustBe: string, least = 8, most = Infinity) =>
  text(mustBe, least, most).meta({ secret: true })
export const pattern = (mustBe: string, regex: RegExp) =>
  z.string().regex(regex).meta({ must_be: mustBe })
export const count = (mustBe: string, least: number, most: number) =>
  z.coerce.number().pipe(z.int().min(least).max(most)).meta({ must_be: mustBe })
export const origin = z.url().refine(isOrigin).meta({ must_be: 'an origin' })

export function choice<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words).meta({ must_be: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` })
}

/** One entry or several with commas between. */
export function list<Entry extends z.ZodType<unknown, string>>(mustBe: string, entry: Entry) {
  const entries = z.string().transform((given) =>
    given
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  return entries.pipe(z.array(entry).min(1)).meta({ must_be: mustBe })
}

export function isOrigin(given: string): boolean {
  if (!URL.canParse(given)) return false
  const { origin: parsed, protocol } = new URL(given)
  return /^https?:$/.test(protocol) && parsed === given
}

/** @throws StartRefused with one sentence that names the variable and what it must be */
export function readVariables<V extends Variables>(variables: V, env: Environment): Values<V> {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(variables)) {
    const given = env[name]?.trim() || undefined
    if (given === undefined && !(schema instanceof z.ZodPrefault)) continue
    const result = schema.safeParse(given)
    if (!result.success) throw new StartRefused(`${name} must be ${getMeta(schema).must_be}.`)
    values[name] = result.data
  }
  return values as Values<V>
}

/** The variables that the environment sets, for the operator: the value of a secret is not shown. */
export function showVariables(variables: Variables, env: Environment): Record<string, string> {
  const given = Object.entries(variables).filter(([name]) => env[name]?.trim())
  return Object.fromEntries(
    given.map(([name, schema]) => [name, getMeta(schema).secret ? '(secret)' : env[name]!]),
  )
}

export function secretNames(variables: Variables): string[] {
  return Object.keys(variables).filter((name) => getMeta(variables[name]!).secret)
}

/** The text of `docs/configuration.gen.md`. */
export function configurationPage(variables: Variables): string {
  const rows = Object.entries(variables).map(([name, schema]) => {
    const { description, must_be, secret: isSecret } = getMeta(schema)
    const fallback = schema instanceof z.ZodPrefault ? `\`${schema.def.defaultValue}\`` : ''
    return `| \`${name}\` | ${description} | ${must_be} | ${fallback} | ${isSecret ? 'yes' : ''} |`
  })
  return [
    '# Configuration',
    '',
    'Generated from `apps/server/src/config.ts`. Every value comes from the environment; with an invalid value the server does not start and prints one sentence.',
    '',
    '| Variable | Meaning | Must be | Default | Secret |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function getMeta(schema: z.ZodType) {
  const inner = schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType).meta() : {}
  return { ...inner, ...schema.meta() } as {
    readonly description: string
    readonly must_be: string
    readonly secret?: boolean
  }
}
