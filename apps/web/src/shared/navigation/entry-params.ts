import type { Persistence } from '@duet/client'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { createStore } from '../observable-store.ts'

/** The query parameters of an entry link. */
export interface EntryParams {
  ref_code?: string
  /** This address has the code of an inviter: the users that the link invites. */
  invited_as?: 'guys' | 'girls'
  email?: string
  to_screen?: 'verify'
  utm_source?: string
  /** The link asks to start the camera as soon as the age is confirmed. */
  starts_camera: boolean
  /** Demo only. `offer` shows the demo users. With a key this window asks its opener for the demo user to sign in. */
  demo?: 'offer' | { readonly key: string }
  pseudo?: 'long' | 'mirror'
}

const CAMERA_SOURCES = [
  'land',
  'clickadilla_sex_popunder',
  'adsterra_popunder',
  'adsterra_sex-chat_popunder',
]
const CODE_CHARACTERS_MAX = 64
const EMAIL_CHARACTERS_MAX = 254
/** The server refuses AUTH with a longer code. */
const REF_CODE = new RegExp(`^[0-9A-Za-z]{1,${limits.ref_code_characters}}$`)
/** The page of a girl, with or without the language: the last segment is her code. */
const GIRL_PATH = /^(?:\/[a-z]{2})?\/girl\/([^/]+)\/?$/
const DEMO_KEY = /^[0-9a-f-]{36}$/

/** The choices that a page keeps in its address: the filter of the catalogue, and the person of a date. */
const CHOICES = ['tab', 'name', 'language', 'top', 'sort', 'with']

const entry = createStore<EntryParams>({ starts_camera: false })

/** The parameters of this page's entry. The address bar no longer shows them. */
export const entryParams = entry.getSnapshot

/**
 * Returns the entry parameters and the address without them. The choices of a page stay in the address, and so does the
 * pseudo-locale of development.
 */
export function parseEntryParams(address: URL): { params: EntryParams; rest: string } {
  const parameter = (name: string, limit: number) =>
    address.searchParams.get(name)?.slice(0, limit) || undefined
  const ref_code = [address.searchParams.get('rc'), GIRL_PATH.exec(address.pathname)?.[1]].find(
    isRefCode,
  )
  const email = parameter('email', EMAIL_CHARACTERS_MAX)
  const source = parameter('utm_source', CODE_CHARACTERS_MAX)
  const utm_source = source && !/\p{Cc}/u.test(source) ? source : undefined
  const pseudo = parameter('pseudo', CODE_CHARACTERS_MAX)
  const demo = toDemo(parameter('demo', CODE_CHARACTERS_MAX))
  const params: EntryParams = {
    starts_camera: [utm_source, parameter('cam', CODE_CHARACTERS_MAX)].some(
      (value) => value && CAMERA_SOURCES.includes(value),
    ),
    ...(ref_code && {
      ref_code,
      invited_as: address.searchParams.get('for') === 'girls' ? 'girls' : 'guys',
    }),
    ...(email && { email }),
    ...(utm_source && { utm_source }),
    ...(parameter('to-screen', CODE_CHARACTERS_MAX) === 'verify' && {
      to_screen: 'verify' as const,
    }),
    ...(demo && { demo }),
    ...((pseudo === 'long' || pseudo === 'mirror') && { pseudo }),
  }
  const kept = new URLSearchParams(
    [...address.searchParams].filter(([name]) => CHOICES.includes(name)),
  )
  if (params.pseudo) kept.set('pseudo', params.pseudo)
  const query = kept.size > 0 ? `?${kept.toString()}` : ''
  return { params, rest: `${address.pathname}${query}${address.hash}` }
}

function isRefCode(code: string | null | undefined): code is string {
  return code !== null && code !== undefined && REF_CODE.test(code)
}

/** The address alone signs no user in: otherwise a link of another site could log the present user out. */
function toDemo(value: string | undefined): EntryParams['demo'] {
  if (value === undefined) return undefined
  return DEMO_KEY.test(value) ? { key: value } : 'offer'
}

/**
 * Runs once when the page starts. Stores the parameters and cleans the address bar. A referral code survives reloads
 * until the visitor has registered. An invalid stored code is removed.
 */
export function readEntryParams(persistence: Persistence): void {
  const { params: parsed, rest } = parseEntryParams(new URL(location.href))
  const isMember = persistence.get('member')
  const ref_code = [parsed.ref_code, persistence.get('ref_code')].find(isRefCode)
  const wantedScreen = parsed.to_screen ?? persistence.get('to_screen')
  persistence.set('ref_code', isMember ? undefined : ref_code)
  if (wantedScreen) persistence.set('to_screen', wantedScreen)
  const { ref_code: _, ...others } = parsed
  entry.set({
    ...others,
    ...(ref_code && !isMember && { ref_code }),
    ...(wantedScreen && { to_screen: wantedScreen }),
  })
  if (location.search) history.replaceState(history.state, '', rest)
}

/** The values that AUTH carries until the visitor has registered. */
export function entryFields(persistence: Persistence): { ref_code?: string; signature?: string } {
  const { ref_code, utm_source } = entry.getSnapshot()
  if (persistence.get('member')) return {}
  return { ...(ref_code && { ref_code }), ...(utm_source && { signature: utm_source }) }
}

/** The server refused the values, so no page sends them again. */
export function forgetEntryFields(persistence: Persistence): void {
  persistence.set('ref_code', undefined)
  entry.update(({ ref_code: _, utm_source: __, ...others }) => others)
}
