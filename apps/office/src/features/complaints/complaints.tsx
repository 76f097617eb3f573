import type { DeskComplaint } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { Avatar } from '@duet/ui/people/avatar.tsx'
import { api } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { reportersText } from '../../shared/evidence/reporters-text.ts'
import { reasonName } from './complaint-names.ts'
import { ComplaintView } from './complaint-view.tsx'
import { personName, sourceName } from '../../shared/person-name.ts'

const shape: QueueShape<DeskComplaint> = {
  queue: 'complaints',
  title: t('office.nav.complaints'),
  list: ({ page, filter }) =>
    api.get('v2/manager/complaints', {
      'per-page': 50,
      page,
      state: filter === 'mine' ? 'mine' : 'waiting',
    }),
  filters: [{ value: 'mine', label: t('office.queue.mine') }],
  isForManagers: ({ for_managers }) => for_managers,
  idOf: ({ id }) => String(id),
  claimOf: ({ claim }) => claim,
  sinceOf: ({ create_time }) => create_time,
  row: (complaint) => ({
    title: reasonName(complaint),
    text: [
      t('office.complaint.about', {
        complainer: sourceName(complaint),
        accused: personName(complaint.accused),
      }),
      ...(complaint.reporters > 1 ? [reportersText(complaint)] : []),
    ].join(' · '),
    isSevere: complaint.is_serious,
    portraits: <Portraits complaint={complaint} />,
  }),
  detail: ComplaintView,
}

export function Complaints() {
  return <QueuePage shape={shape} />
}

/** The reporter before the accused. Those of a severe case are veiled. */
function Portraits({ complaint }: { complaint: DeskComplaint }) {
  const { accused, complainer, portraits, is_veiled } = complaint
  return (
    <span className={cx('flex shrink-0 -space-x-2.5', is_veiled && 'veiled')}>
      {complainer && (
        <Avatar decorative size={28} name={personName(complainer)} src={portraits.complainer} />
      )}
      <Avatar decorative size={28} name={personName(accused)} src={portraits.accused} />
    </span>
  )
}
