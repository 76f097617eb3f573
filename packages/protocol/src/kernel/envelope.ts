import { z } from 'zod'
import { limits } from './limits.ts'
import { Id } from './primitives.ts'
import { refusalNames } from './refusals.ts'

/**
 * The body of every HTTP failure and the `error` of an acknowledgement. `name` is the refusal: clients
 * branch by the name and show their own text. `code` is its number in `refusals.ts`. `message` is English.
 */
export const Failure = z.object({
  code: z.int(),
  name: z.enum(refusalNames),
  message: z.string(),
  additional: z.record(z.string(), z.unknown()),
})
export type Failure = z.output<typeof Failure>

/** The payload of event `error_{code}`; on the signaling socket with the call that the refused event named. */
export const ErrorPayload = Failure.extend({
  action: z.string().optional(),
  session_id: Id.optional(),
})
export type ErrorPayload = z.output<typeof ErrorPayload>

/** `additional.fields` of 900: the path of each missing or wrong field. */
export const FieldError = z.object({ path: z.string(), message: z.string() })
export type FieldError = z.output<typeof FieldError>

/** The content of a `message_main` packet. */
export const ActionRequest = z.object({ action: z.string(), data: z.unknown().optional() })
export type ActionRequest = z.output<typeof ActionRequest>
/** The content of an acknowledgement's packet. */
export const Acknowledgement = z.union([
  z.object({ data: z.unknown() }),
  z.object({ error: Failure }),
])
export type Acknowledgement = z.output<typeof Acknowledgement>

const QueryNumber = z.coerce.number<number | string>()

/** `?page=1&per-page=20`; arrives as text, leaves as numbers. */
export const PageQuery = z.object({
  page: QueryNumber.pipe(z.int().positive().max(limits.page_max)).default(1),
  'per-page': QueryNumber.pipe(z.int().positive().max(limits.page_items_max)).default(
    limits.page_items,
  ),
})
export type PageQuery = z.output<typeof PageQuery>

/** The place in a list after which the next page begins; opaque, for the same list only. */
export const Cursor = z.string().min(1).max(limits.token_characters)

/** A page of a list. `total` is a stored counter. Null for a list without a counter. */
export function listAnswer<Item extends z.core.$ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    page: z.int().positive(),
    per_page: z.int().positive(),
    total: z.int().nonnegative().nullable(),
    next: z.boolean(),
  })
}
