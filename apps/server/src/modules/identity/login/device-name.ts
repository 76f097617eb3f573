import Bowser from 'bowser'
import type { RequestContext } from '../../../core/request-context.ts'
import type { LoginDevice } from './logins-store.ts'

const NAME_MAX_CHARACTERS = 60

/** A name by which users recognise their device: `Chrome, Windows`, `Safari, iPhone, iOS`. Empty: nothing is known. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os, platform } = Bowser.parse(userAgent)
  // The model tells two phones apart; of a computer the system says as much.
  const model = platform.type === 'desktop' ? undefined : platform.model
  const parts = [browser.name, model, os.name].filter((part) => part !== undefined && part !== '')
  return parts.join(', ').slice(0, NAME_MAX_CHARACTERS)
}

/** The device and place of a request that opens a login. */
export function loginDeviceOf({ user_agent, country }: RequestContext): LoginDevice {
  return { device: deviceName(user_agent), country }
}
