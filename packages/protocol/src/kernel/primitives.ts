import { z } from 'zod'
import { limits } from './limits.ts'
import { refusalNames } from './refusals.ts'

/** Additions of the reference pages to a schema: an example where its form cannot be guessed. */
export const notes = z.registry<{ id?: string; examples?: unknown[]; maxProperties?: number }>()

/** No fields: unknown fields are ignored and never stored, like everywhere. */
export const nothing = z.object({})

/** A user, a dialog, a message, a video session: positive, never reused, at most `limits.id_max` as every `z.int()`. */
export const Id = z.int().positive()
export const UserId = Id
export const Uuid = z.uuid()
/** Position in a user's change log: 0 before its first row. */
export const ChangeId = z.int().nonnegative()

/** A decimal amount of diamonds, coins, usd or usdt: `"12.5"`. */
export const Amount = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,8})?$/)
  .register(notes, { examples: ['12.5'] })
/** The exact amount in the smallest unit, where it matters. */
export const Units = z
  .string()
  .regex(/^-?\d{1,30}$/)
  .register(notes, { examples: ['750000'] })
/** An amount in a request: never negative. */
export const PositiveAmount = z
  .string()
  .regex(/^(?=[0.]{0,24}[1-9])\d{1,15}(\.\d{1,8})?$/)
  .register(notes, { examples: ['12.5'] })
/** ISO 4217: `USD`. */
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .register(notes, { examples: ['USD'] })

/** ISO 8601 in UTC, with `Z`. */
export const Time = z.iso.datetime().max(limits.time_characters)
export const Day = z.iso.date()
/** A time of the day, without seconds. */
export const Clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .register(notes, { examples: ['22:30'] })
export const Month = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .register(notes, { examples: ['2026-11'] })
export const Count = z.int().nonnegative()
export const Seconds = z.int().nonnegative()
/** Milliseconds from now or long: never negative. */
export const Millis = z.int().nonnegative()
export const Percent = z.number().min(0).max(100)

/** Where a file is fetched: absolute, or a path of this origin. */
export const Url = z
  .string()
  .min(1)
  .max(limits.url_characters)
  .register(notes, { examples: ['/media/portrait/320'] })
/** ISO 3166-1, two capitals. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .register(notes, { examples: ['DE'] })
/** A login token, opaque. */
export const Token = z
  .string()
  .min(1)
  .max(limits.token_characters)
  .register(notes, { examples: ['tok_3f9a'] })
/** The code in a girl's page address and in invitation links. */
export const RefCode = z
  .string()
  .min(1)
  .max(limits.ref_code_characters)
  .register(notes, { examples: ['k7m2pq9x'] })
/**
 * The code of an entry link. An invalid code is read as absent: a link must not make a browser unable to
 * authenticate.
 */
export const EntryCode = z
  .string()
  .regex(/^[A-HJ-KM-NP-Z2-9]{10}$/)
  .optional()
  .catch(undefined)
/** The signature of an entry link. It grants nothing. A wrong signature is read as absent too. */
export const EntrySignature = z
  .string()
  .regex(/^\P{Cc}*$/u)
  .max(limits.token_characters)
  .optional()
  .catch(undefined)
/** A text that a specific refusal judges: any text within the limit, also a wrong text. */
export const Judged = z.string().max(limits.judged_characters)

/** A number in a query or a path: arrives as text, leaves as a number. */
const QueryNumber = z.coerce.number<number | string>()
export const QueryId = QueryNumber.pipe(Id)
export const QueryCount = QueryNumber.pipe(Count)
/** A yes or no in a query or a form: `true`, `1`, `false`, `0`. */
export const QueryFlag = z.union([z.boolean(), z.stringbool()])
/** Whether the user may do it; otherwise the code and the name of the refusal. */
export const Permission = z.object({
  allowed: z.boolean(),
  code: z.int().optional(),
  name: z.enum(refusalNames).optional(),
})
export type Permission = z.output<typeof Permission>

const MARK_RUN = new RegExp(String.raw`\p{M}{${limits.marks_in_a_row + 1}}`, 'u')

/**
 * Whether a text can be normalised quickly. Its length is bounded before its characters are counted. It has
 * no long run of combining marks, because normalising sorts them in quadratic time.
 */
export function isNormalizable(text: string, charactersMax: number): boolean {
  return text.length <= charactersMax * 4 && !MARK_RUN.test(text)
}

/**
 * A text that a user writes, counted in characters after NFC, before masking. Its UTF-16 length and its
 * marks are bounded first, because normalising an unbounded text takes long. Half of a surrogate pair, which the
 * database cannot store, becomes U+FFFD, so that the rest of the text is not lost. Characters that no one sees do not count for
 * the least length: a reason of blanks is no reason.
 */
export function boundedText(charactersMax: number, charactersMin = 0) {
  return z
    .string()
    .min(charactersMin)
    .max(charactersMax * 4, { abort: true })
    .overwrite((text) => text.toWellFormed())
    .refine((text) => !MARK_RUN.test(text), {
      message: `At most ${limits.marks_in_a_row} marks in a row`,
      abort: true,
    })
    .refine(
      (text) => [...text.normalize('NFC')].length <= charactersMax,
      `At most ${charactersMax} characters`,
    )
    .refine(
      (text) => charactersMin === 0 || seenCharacters(text) >= charactersMin,
      `At least ${charactersMin} characters that can be seen`,
    )
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

function seenCharacters(text: string): number {
  return [...text.replaceAll(UNSEEN, '').trim()].length
}

/** A field of a multipart form that is no text: itself, or its JSON. */
export function formField<Field extends z.core.$ZodType>(field: Field) {
  const fromText = z
    .string()
    .max(limits.judged_characters)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue('Not JSON')
        return z.NEVER
      }
    })
    .pipe(field)
  return z.union([field, fromText])
}

/**
 * An object whose keys the sender chooses. They are counted before the schema looks at them, so that an object with too
 * many costs nothing.
 */
export function withKeysUpTo<Schema extends z.core.$ZodType>(keysMax: number, schema: Schema) {
  notes.add(schema, { ...notes.get(schema), maxProperties: keysMax })
  return z.preprocess((value: z.input<Schema>, context) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= keysMax)
      return value
    context.addIssue(`At most ${keysMax} keys`)
    return z.NEVER
  }, schema)
}

const utf8 = new TextEncoder()

/** A text with at most this many bytes in UTF-8. Its length in UTF-16 is checked first, so that no long text is encoded. */
export function textOfBytes(bytesMax: number) {
  return z
    .string()
    .max(bytesMax)
    .refine((text) => utf8.encode(text).length <= bytesMax, `At most ${bytesMax} bytes`)
}
