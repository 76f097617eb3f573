import type { Persistence } from '@duet/client'
import { createStore } from '../observable-store.ts'

/** The query parameters of an entry link. */
export interface EntryParams {
  ref_code?: string
  email?: string
  to_screen?: 'verify'
  utm_source?: string
  /** The link asks to start the camera as soon as the age is confirmed. */
  starts_camera: boolean
  /** Demo only: the user that this window signs in as. */
  demo_user_id?: number
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

const entry = createStore<EntryParams>({ starts_camera: false })

/** The parameters with which this page was entered; the address bar no longer shows them. */
export const entryParams = entry.getSnapshot

/** Returns the entry parameters and the address without them; the pseudo-locale of development stays in the address. */
export function parseEntryParams(address: URL): { params: EntryParams; rest: string } {
  const parameter = (name: string, limit: number) =>
    address.searchParams.get(name)?.slice(0, limit) || undefined
  const ref_code = parameter('rc', CODE_CHARACTERS_MAX)
  const email = parameter('email', EMAIL_CHARACTERS_MAX)
  const utm_source = parameter('utm_source', CODE_CHARACTERS_MAX)
  const pseudo = parameter('pseudo', CODE_CHARACTERS_MAX)
  const demoUserId = Number(parameter('demo', CODE_CHARACTERS_MAX))
  const params: EntryParams = {
    starts_camera: [utm_source, parameter('cam', CODE_CHARACTERS_MAX)].some(
      (value) => value && CAMERA_SOURCES.includes(value),
    ),
    ...(ref_code && { ref_code }),
    ...(email && { email }),
    ...(utm_source && { utm_source }),
    ...(parameter('to-screen', CODE_CHARACTERS_MAX) === 'verify' && {
      to_screen: 'verify' as const,
    }),
    ...(Number.isInteger(demoUserId) && demoUserId > 0 && { demo_user_id: demoUserId }),
    ...((pseudo === 'long' || pseudo === 'mirror') && { pseudo }),
  }
  const query = params.pseudo ? `?pseudo=${params.pseudo}` : ''
  return { params, rest: `${address.pathname}${query}${address.hash}` }
}

/** Called once at the start of the page: stores the parameters and cleans the address bar. A referral code survives a reload. */
export function readEntryParams(persistence: Persistence): void {
  const { params: parsed, rest } = parseEntryParams(new URL(location.href))
  const { ref_code = persistence.get('ref_code') } = parsed
  if (ref_code) persistence.set('ref_code', ref_code)
  entry.set({ ...parsed, ...(ref_code && { ref_code }) })
  if (location.search) history.replaceState(history.state, '', rest)
}
