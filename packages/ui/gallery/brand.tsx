import { Mark, Wordmark } from '../src/brand/mark.tsx'
import { Exhibit } from './exhibit.tsx'

const roles = [
  'bg-bg',
  'bg-surface-1',
  'bg-surface-2',
  'bg-surface-3',
  'bg-surface-4',
  'bg-line-strong',
  'bg-text',
  'bg-text-2',
  'bg-text-3',
  'bg-ember',
  'bg-ember-hi',
  'bg-ember-lo',
  'bg-moon',
  'bg-moon-lo',
  'bg-gold',
  'bg-gold-lo',
  'bg-ice',
  'bg-ice-lo',
  'bg-ok',
  'bg-ok-lo',
  'bg-warn',
  'bg-warn-lo',
  'bg-danger',
  'bg-danger-lo',
  'bg-danger-solid',
]

export function Brand() {
  return (
    <>
      <Exhibit title="Mark and name" className="gap-8">
        <Wordmark name="Duet" size={56} />
        <Wordmark name="Duet" />
        <Mark size={44} label="Duet" />
      </Exhibit>
      <Exhibit title="Colour roles" className="grid grid-cols-5 gap-2 md:grid-cols-7">
        {roles.map((role) => (
          <span key={role} className="micro text-text-2">
            <span className={`mb-1 block h-9 rounded-control shadow-card ${role}`} />
            {role.slice(3)}
          </span>
        ))}
      </Exhibit>
      <Exhibit title="Type" className="flex-col flex-nowrap! items-start!">
        <p className="display-xl">
          Someone <em className="emphasis">real</em>
        </p>
        <p className="display-l">Looking for someone</p>
        <p className="display-m">Живой разговор, вдвоём</p>
        <p className="display-s">Ready when you are</p>
        <p className="number-xl">27,480</p>
        <p className="title">Title 17, card and section</p>
        <p className="body">Body 15, for reading. Two lights, one conversation.</p>
        <p className="ui">Ui 14, controls and lists</p>
        <p className="note text-text-2">Note 13</p>
        <p className="meta text-text-3">Meta 12</p>
        <p className="micro text-text-3">Micro 11</p>
        <p className="body" lang="ar" dir="rtl">
          مرحبًا، كيف كان يومك؟ 04:12
        </p>
        <p className="body" lang="ja">
          こんにちは、今日はどうでしたか
        </p>
      </Exhibit>
    </>
  )
}
