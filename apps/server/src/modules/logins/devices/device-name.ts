import Bowser from 'bowser'
import type { RequestContext } from '../../../core/request-context.ts'
import type { LoginDevice } from './logins-store.ts'

/** A parser of User-Agents also copies words out of them, which would put a client's text into mails that we sign. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(Bowser.BROWSER_MAP).filter((name) => name !== Bowser.BROWSER_MAP.generic),
  ...Object.values(Bowser.OS_MAP),
  'iPhone',
  'iPad',
])

/** A name by which users recognise their device: `Chrome, Windows`, `Safari, iPhone, iOS`. Empty: nothing is known. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os, platform } = Bowser.parse(userAgent)
  // The model tells two phones apart; of a computer the system says as much.
  const model = platform.type === 'desktop' ? undefined : platform.model
  return [browser.name, model, os.name]
    .filter((part) => part !== undefined && KNOWN_NAMES.has(part))
    .join(', ')
}

/** The device and place of a request that opens a login. */
export function getLoginDevice({ user_agent, country }: RequestContext): LoginDevice {
  return { device: deviceName(user_agent), country }
}
