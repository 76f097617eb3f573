import type { WallCall } from '@duet/protocol'
import { DataTable } from '../../shared/table/data-table.tsx'
import type { TableColumn } from '../../shared/table/table-column.ts'
import { t } from '../../shared/texts.ts'
import { personName } from '../../shared/person-name.ts'
import { Reasons } from './reasons.tsx'
import { SignalBars } from './signal-bars.tsx'
import { CallTime } from './wall-tile.tsx'

interface WallListProps {
  calls: readonly WallCall[]
  now: string
  opened: number | undefined
  onOpen: (sessionId: number) => void
}

/** The same sessions in rows, without pictures. */
export function WallList({ calls, now, opened, onOpen }: WallListProps) {
  return (
    <DataTable<WallCall>
      name="wall"
      label={t('office.nav.wall')}
      rowKey={({ session_id }) => session_id}
      rows={calls}
      isOwn={({ session_id }) => session_id === opened}
      columns={columns(now, onOpen)}
    />
  )
}

function columns(now: string, onOpen: WallListProps['onOpen']): TableColumn<WallCall>[] {
  return [
    {
      key: 'pair',
      width: 240,
      header: t('office.wall.inspector'),
      mobile: 'main',
      cell: ({ session_id, girl, guy }) => (
        <button
          type="button"
          data-call={session_id}
          className="text-start font-medium"
          onClick={() => onOpen(session_id)}
        >
          <bdi>{t('office.wall.pair', { girl: personName(girl), guy: personName(guy) })}</bdi>
        </button>
      ),
    },
    {
      key: 'time',
      header: t('office.wall.lasts'),
      mobile: 'end',
      cell: (call) => <CallTime call={call} now={now} />,
    },
    {
      key: 'reasons',
      width: 260,
      header: t('office.wall.why'),
      mobile: 'second',
      cell: ({ reasons }) => <Reasons reasons={reasons} />,
    },
    { key: 'risk', header: t('office.wall.risk'), number: true, cell: ({ risk }) => risk },
    {
      key: 'network',
      header: t('office.wall.networks'),
      cell: ({ girl, guy, network }) => (
        <span className="flex gap-2">
          <SignalBars name={personName(girl)} network={network.girl} />
          <SignalBars name={personName(guy)} network={network.guy} />
        </span>
      ),
    },
  ]
}
