import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Banner, Button } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { t } from '../../shared/i18n.ts'

/** Above the decisions of a girl: how many of her penalties she has not confirmed. */
export function UnreadPenalties() {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: ['penalties'],
    queryFn: () => connection.http.get('penalties', {}),
  })
  const { busy, press } = usePress(async () => {
    await connection.http.post('v2/penalty/mark-all-as-read')
    await queries.invalidateQueries({ queryKey: ['penalties'] })
  })
  const count = data?.items.filter(({ read }) => !read).length ?? 0
  if (count === 0) return null
  return (
    <Banner
      className="mb-3"
      tone="danger"
      action={
        <Button size={30} variant="outline" busy={busy} onClick={() => void press()}>
          {t('penalty.mark_read')}
        </Button>
      }
    >
      {t('penalty.unread', { count })}
    </Banner>
  )
}
