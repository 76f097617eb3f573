import { useState } from 'react'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { useSystem } from '../../shared/queries.ts'
import { pushPermission, turnPushOff, turnPushOn } from './push.ts'

/** Push messages in this browser: the browser's permission, and the switch of the own record. */
export function usePush() {
  const { connection, report } = useAppServices()
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
    try {
      if (on && (await turnPushOn(connection, key)) !== 'granted') return
      connection.patchUser({ noty_push: on })
      await connection.act('UPDATE_PROFILE', { noty_push: on })
      if (!on) await turnPushOff(connection)
    } catch (error) {
      report(error)
    } finally {
      setBusy(false)
      setAsked((times) => times + 1)
    }
  }
  return {
    permission,
    busy,
    isOn: permission === 'granted' && (user?.noty_push ?? false),
    turnOn: () => turn(true),
    turnOff: () => turn(false),
  }
}
