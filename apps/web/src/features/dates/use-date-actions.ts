import { useQueryClient } from '@tanstack/react-query'
import type { VirtualDate } from '@duet/protocol'
import { RefusedError, useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { formatAmount } from '../../shared/amounts.ts'
import { usePress } from '../../shared/controls/use-press.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { saveFile } from '../../shared/media/save-file.ts'
import { showToast } from '../../shared/toasts.ts'
import { openCallDevices } from './open-call-devices.ts'
import { serverNow } from './server-clock.ts'

type Change = 'accept' | 'decline' | 'cancel' | 'start'

/** The actions of a user about a date. The list is fetched again after each change, also after a refusal. */
export function useDateActions(date: VirtualDate, nick: string) {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const isGirl = useOwnUser()?.role === 'girl'
  const { id } = date
  const refresh = () => queries.invalidateQueries({ queryKey: ['dates'] })
  const change = usePress(
    async (to: Change) => {
      // A call that opens without devices would end as a fault of this user.
      if (to === 'start' && !(await openCallDevices()))
        return showToast({ title: t('dates.no_devices'), text: t('dates.no_devices_text') })
      await connection.http.post(`dates/{id}/${to}`, { id })
      await refresh()
    },
    (error) => {
      void refresh()
      if (!(error instanceof RefusedError) || error.refusal !== 'in_call') return false
      showToast({ title: t('dates.in_call') })
      return true
    },
  )
  const file = usePress(async () =>
    saveFile(await connection.http.download('dates/{id}/calendar', { id }), `duet-date-${id}.ics`),
  )
  const cancel = async () => {
    const isConfirmed = await dialogs.ask('cancel_date', { nick, text: costs(date, nick, isGirl) })
    if (isConfirmed) await change.press('cancel')
  }
  return {
    busy: file.busy ? ('calendar' as const) : change.running?.[0],
    act: (to: Change) => void change.press(to),
    cancel: () => void cancel(),
    download: () => void file.press(),
  }
}

function costs({ state, free_until, late_cost = '0' }: VirtualDate, nick: string, isGirl: boolean) {
  if (isGirl) return t('dates.cancel_girl', { nick })
  const isFree = state === 'requested' || serverNow() < Date.parse(free_until)
  if (isFree) return t('dates.cancel_free')
  return t('dates.cancel_late', { nick, diamonds: formatAmount('diamond', late_cost) })
}
