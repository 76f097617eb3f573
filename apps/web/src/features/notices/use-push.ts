import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { useSystem } from '../../shared/queries.ts'
import { isPushOn, pushPermission, turnPushOff, turnPushOn } from './push.ts'

/** Push messages in this browser: the browser's permission, and the switch of the own record. */
export function usePush() {
  const services = useAppServices()
  const { connection } = services
  const feature = useSystem()?.features.push
  const user = useOwnUser()
  // The permission is not a state of React. The end of a press renders again and reads the permission again.
  const permission = pushPermission(feature)
  const { busy, press: turn } = usePress(async (on: boolean) => {
    const key = feature?.key
    if (!key) return
    const before = user?.noty_push ?? false
    try {
      if (on && (await turnPushOn(services, key)) !== 'granted') return
      if (!on) return await turnPushOff(services)
      // The account takes push messages on some devices. Each device decides for itself.
      connection.patchUser({ noty_push: true })
      await connection.act('UPDATE_PROFILE', { noty_push: true })
    } catch (error) {
      connection.patchUser({ noty_push: before })
      throw error
    }
  })
  return {
    permission,
    busy,
    isOn:
      permission === 'granted' &&
      user !== undefined &&
      user.noty_push &&
      isPushOn(services, user.id),
    turnOn: () => turn(true),
    turnOff: () => turn(false),
  }
}
