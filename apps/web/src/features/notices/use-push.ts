import { useState } from 'react'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { useSystem } from '../../shared/queries.ts'
import { isPushOn, pushPermission, turnPushOff, turnPushOn } from './push.ts'

/** Push messages in this browser: the browser's permission, and the switch of the own record. */
export function usePush() {
  const services = useAppServices()
  const { connection, report } = services
  const feature = useSystem()?.features.push
  const user = useOwnUser()
  const [busy, setBusy] = useState(false)
  // The permission is no state of React: it is read again after each question.
  const [, setAsked] = useState(0)
  const permission = pushPermission(feature)
  const turn = async (on: boolean) => {
    const key = feature?.key
    if (busy || !key) return
    setBusy(true)
    const before = user?.noty_push ?? false
    try {
      if (on && (await turnPushOn(services, key)) !== 'granted') return
      connection.patchUser({ noty_push: on })
      await connection.act('UPDATE_PROFILE', { noty_push: on })
      if (!on) await turnPushOff(services)
    } catch (error) {
      connection.patchUser({ noty_push: before })
      report(error)
    } finally {
      setBusy(false)
      setAsked((times) => times + 1)
    }
  }
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
