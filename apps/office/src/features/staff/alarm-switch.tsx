import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { currentPush, endPush, subscribeToPush } from '@duet/client/page/push-subscription.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'

const WORKER = '/office/push-worker.js'
const BROWSER = ['push']

const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/**
 * Whether this browser takes alarms. The server is told again at each visit: another member of staff may have used this
 * browser before.
 */
async function refreshPush(): Promise<boolean> {
  const subscription = await currentPush(WORKER)
  if (!subscription || Notification.permission !== 'granted') return false
  await api.post('v2/manager/push', { subscription, on: true })
  return true
}

async function turnPush(on: boolean, publicKey: string): Promise<void> {
  if (!on) {
    const subscription = await currentPush(WORKER)
    if (subscription) await api.post('v2/manager/push', { subscription, on: false })
    return endPush(WORKER)
  }
  if ((await Notification.requestPermission()) !== 'granted') return
  const subscription = await subscribeToPush(WORKER, publicKey)
  await api.post('v2/manager/push', { subscription, on: true })
}

/** Alarms of serious cases that wait, on the screen of this device, also while the office is closed. */
export function AlarmSwitch({ publicKey }: { publicKey: string }) {
  const queries = useQueryClient()
  const supported = isSupported()
  const browser = useQuery({ queryKey: BROWSER, queryFn: refreshPush, enabled: supported })
  const turn = useMutation({
    mutationFn: (on: boolean) => turnPush(on, publicKey),
    onSettled: () => queries.invalidateQueries({ queryKey: BROWSER }),
  })
  const isDenied = supported && Notification.permission === 'denied'
  const problem = turn.error ?? browser.error
  return (
    <div className="flex max-w-[640px] flex-col gap-2 border-b border-hair pb-3">
      {problem && <Banner tone="danger">{errorSentence(problem)}</Banner>}
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          role="switch"
          className="size-5 accent-ember"
          checked={browser.data === true}
          onChange={({ target }) => turn.mutate(target.checked)}
          disabled={!supported || isDenied || browser.isLoading || turn.isPending}
        />
        <span>
          <span className="block font-medium">{t('office.push.label')}</span>
          <span className="text-text-2">
            {t(
              !supported
                ? 'office.push.unsupported'
                : isDenied
                  ? 'office.push.denied'
                  : 'office.push.help',
            )}
          </span>
        </span>
      </label>
    </div>
  )
}
