import { useSearchParams } from 'react-router'
import type { DeskPhoto } from '@duet/protocol/contracts/media-desk.ts'
import { photoVerdicts } from '@duet/protocol/kernel/rule-names.ts'
import { api } from '../../shared/api.ts'
import { VeiledMedia } from '../../shared/veiled-media.tsx'
import { textLocale, msg, t } from '../../shared/texts.ts'
import { QueueKey, useDraft, usePending } from '../../shared/queue/pending-decision.tsx'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { type GivenVerdict, VerdictForm } from '../../shared/queue/verdict-form.tsx'
import { personName } from '../../shared/person-name.ts'
import { photoDecision } from './photo-decision.ts'
import { PhotoGrid } from './photo-grid.tsx'

const KINDS = { photo: msg('word.photo'), video: msg('office.media.video') }

const shape: QueueShape<DeskPhoto> = {
  queue: 'photos',
  title: t('word.photos'),
  list: ({ page }) => api.get('v2/manager/photos', { 'per-page': 50, page }),
  idOf: ({ id }) => id,
  claimOf: ({ claim }) => claim,
  sinceOf: ({ create_time }) => create_time,
  row: ({ user, kind, product }) => ({
    title: personName(user),
    text: `${t(KINDS[kind])} · ${product}`,
  }),
  detail: PhotoView,
}

/** All pictures that wait, and one of them when the address names it. */
export function Photos() {
  const [params] = useSearchParams()
  if (params.has('case')) return <QueuePage shape={shape} />
  return (
    <QueueKey value={shape.queue}>
      <PhotoGrid list={() => shape.list({ page: 1 })} />
    </QueueKey>
  )
}

function PhotoView({ item, onDecided }: { item: DeskPhoto; onDecided: () => void }) {
  const { decide } = usePending()
  const [begun] = useDraft<Partial<GivenVerdict>>(item.id, {})
  const submit = (draft: GivenVerdict) => {
    decide({ ...photoDecision(item.id, draft), draft }, 'later')
    onDecided()
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row">
      <figure className="flex min-w-0 flex-1 flex-col gap-2 p-4">
        <VeiledMedia
          kind={item.kind}
          address={`/api/v2/manager/photos/${item.id}`}
          label={t('office.media.waiting')}
        />
        <figcaption className="text-text-2">
          {item.nudity === null
            ? t('office.media.unchecked')
            : t('office.media.nudity', {
                share: new Intl.NumberFormat(textLocale, { style: 'percent' }).format(item.nudity),
              })}
        </figcaption>
      </figure>
      <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px]">
        <VerdictForm
          label={t('office.decide.title')}
          owner={item.user}
          choices={['approve', ...photoVerdicts]}
          begun={begun}
          onDecide={submit}
        />
      </aside>
    </div>
  )
}
