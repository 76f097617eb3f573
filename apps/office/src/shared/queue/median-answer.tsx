import { useQuery } from '@tanstack/react-query'
import type { QueueName } from '@duet/protocol'
import { api } from '../api.ts'
import { t } from '../texts.ts'
import { waitingTime } from '../times.ts'

const BEGINNING = new Date(0).toISOString()
const MINUTE_SECONDS = 60

/** How long the answers of a queue took in the last days. The navigation fetches the same figures. */
export function MedianAnswer({ queue }: { queue: QueueName }) {
  const { data } = useQuery({
    queryKey: ['queues'],
    queryFn: () => api.get('v2/manager/queues'),
  })
  const seconds = data?.queues.find((one) => one.queue === queue)?.median_seconds ?? null
  if (seconds === null) return null
  const time = waitingTime(BEGINNING, Math.max(MINUTE_SECONDS, seconds) * 1000)
  return <span className="text-text-2 max-md:hidden">{t('office.queue.median', { time })}</span>
}
