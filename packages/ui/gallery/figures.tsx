import { Bars } from '../src/figures/bars.tsx'
import { ProgressLine } from '../src/figures/progress-line.tsx'
import { Exhibit } from './exhibit.tsx'

const hours = [0, 0, 2, 5, 1, 0, 0, 9, 12, 22, 16, 10, 0, 0, 6, 13, 30, 41, 28]

export function Figures() {
  return (
    <Exhibit title="Bars and lines" className="flex-col flex-nowrap! items-stretch!">
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
    </Exhibit>
  )
}
