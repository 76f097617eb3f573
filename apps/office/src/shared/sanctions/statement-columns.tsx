import type { StaffStatement } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { Tag } from '@duet/ui/controls/tag.tsx'
import { TIME_WIDTH, type TableColumn } from '../table/table-column.ts'
import { t, textOr } from '../texts.ts'
import { liftWord } from './lift-word.ts'
import { PersonLink } from '../person-link.tsx'
import { shortTime } from '../times.ts'

/** The columns of statements. Without `onLift` the viewer may take no act back: the button says who may. */
export function statementColumns(
  onLift: ((statement: StaffStatement) => void) | undefined,
): TableColumn<StaffStatement>[] {
  return [
    { key: 'at', width: TIME_WIDTH, header: t('office.audit.at'), cell: ({ at }) => shortTime(at) },
    {
      key: 'user',
      width: 160,
      header: t('office.sanctions.user'),
      cell: ({ user }) => (
        <span>
          <PersonLink person={user} /> <span className="text-text-3">{user.id}</span>
        </span>
      ),
      mobile: 'main',
    },
    {
      key: 'kind',
      header: t('office.sanctions.kind'),
      cell: (row) => <Kind row={row} />,
      mobile: 'second',
    },
    {
      key: 'comment',
      width: 320,
      header: t('office.sanctions.comment'),
      cell: ({ reason, comment }) => (
        <span className="line-clamp-2" title={comment}>
          {textOr(`office.reason.${reason}`, reason)} <bdi className="text-text-2">{comment}</bdi>
        </span>
      ),
    },
    {
      key: 'by',
      header: t('office.sanctions.by'),
      cell: ({ automatic, imposed_by }) =>
        automatic ? t('office.sanctions.automatic') : <bdi>{imposed_by}</bdi>,
    },
    { key: 'state', header: t('office.sanctions.state'), cell: showState, mobile: 'end' },
    {
      key: 'lift',
      width: 160,
      header: t('office.sanctions.lift'),
      isUnseen: true,
      cell: (row) =>
        mayLift(row) && (
          <span className="flex flex-wrap items-center gap-2">
            <Button size={30} variant="outline" disabled={!onLift} onClick={() => onLift?.(row)}>
              {liftWord(row.kind)}
            </Button>
            {!onLift && <span className="text-text-2">{t('office.sanctions.manager_lifts')}</span>}
          </span>
        ),
    },
  ]
}

function mayLift({ kind, ended_at }: StaffStatement): boolean {
  return kind !== 'verification' && ended_at === null
}

function Kind({ row: { kind, amount, paid } }: { row: StaffStatement }) {
  const name = textOr(`office.statement.${kind}`, kind)
  return amount === null ? (
    name
  ) : (
    <span>
      {name} {t('office.sanctions.amount', { amount, paid: paid ?? '0' })}
    </span>
  )
}

function showState({ kind, until, ended_at, lifted_by, appeal }: StaffStatement) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {ended_at !== null && (
        <span className="text-text-2">
          {lifted_by === null
            ? t('office.sanctions.ended', { at: shortTime(ended_at) })
            : t('office.sanctions.lifted', { person: lifted_by })}
        </span>
      )}
      {ended_at === null && until !== null && t('office.sanctions.until', { at: shortTime(until) })}
      {ended_at === null && until === null && kind === 'ban' && t('office.sanctions.permanent')}
      {appeal && <Tag>{textOr(`office.sanctions.appeal.${appeal}`, appeal)}</Tag>}
    </span>
  )
}
