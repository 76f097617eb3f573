import { Tag } from '../src/controls/tag.tsx'
import { Bars } from '../src/figures/bars.tsx'
import { ProgressLine } from '../src/figures/progress-line.tsx'
import { Table } from '../src/figures/table.tsx'
import { Avatar } from '../src/people/avatar.tsx'
import { Exhibit } from './exhibit.tsx'

const hours = [0, 0, 2, 5, 1, 0, 0, 9, 12, 22, 16, 10, 0, 0, 6, 13, 30, 41, 28]

const people = [
  { id: 1, name: 'Yuki', state: 'Online', sessions: '1,204', coins: '38,400' },
  { id: 2, name: 'Zoe', state: 'In a call', sessions: '902', coins: '33,120' },
  { id: 3, name: 'You', state: 'Away', sessions: '511', coins: '25,905' },
]

export function Figures() {
  return (
    <Exhibit title="Bars, lines and tables" className="flex-col flex-nowrap! items-stretch!">
      <div className="panel p-5">
        <Bars
          label="Coins by hour"
          series={[
            { name: 'Calls', tone: 'ember' },
            { name: 'Messages', tone: 'moon' },
            { name: 'Gifts', tone: 'gold' },
          ]}
          bars={hours.map((coins, hour) => ({
            label: String(hour).padStart(2, '0'),
            parts: [coins, Math.floor(coins / 3), Math.floor(coins / 2)],
            text: `${hour}:00, ${coins} coins from calls`,
          }))}
        />
        <p className="note mt-4 mb-2 text-text-2">3 h 12 min of 4 h</p>
        <ProgressLine value={0.8} label="3 h 12 min of 4 h" />
      </div>
      <Table
        label="Best of the day"
        rows={people}
        rowKey={(person) => person.id}
        isOwn={(person) => person.name === 'You'}
        columns={[
          {
            key: 'name',
            header: 'User',
            mobile: 'main',
            cell: (person) => (
              <span className="inline-flex items-center gap-2.5">
                <Avatar name="" size={28} />
                {person.name}
              </span>
            ),
          },
          {
            key: 'state',
            header: 'Status',
            mobile: 'second',
            cell: (person) => <Tag tone="ok">{person.state}</Tag>,
          },
          { key: 'sessions', header: 'Sessions', number: true, cell: (person) => person.sessions },
          {
            key: 'coins',
            header: 'Coins',
            number: true,
            mobile: 'end',
            cell: (person) => person.coins,
          },
        ]}
      />
    </Exhibit>
  )
}
