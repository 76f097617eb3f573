import { z } from 'zod'

/** A variable of the environment. */
export interface Variable {
  readonly shape: z.ZodType
  /** Describes a valid value: the end of the sentence "NAME must be …". */
  readonly expects: string
  readonly meaning: string
  readonly fallback?: string
}

/** A list with commas between. */
export const listed = z.string().transform((text) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
)

export function isOrigin(text: string): boolean {
  return (
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
  )
}
