import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { msg, t } from '../texts.ts'

const KEYS = [
  ['J', msg('office.keys.next')],
  ['K', msg('office.keys.former')],
  ['Enter', msg('office.keys.open')],
  ['1 – 5', msg('office.keys.verdicts')],
  ['1 – 9', msg('office.keys.choose')],
  ['A – Y', msg('office.keys.reason')],
  ['↑ ↓', msg('office.keys.length')],
  ['Ctrl Enter', msg('office.keys.decide')],
  ['Space, B', msg('office.keys.reveal')],
  ['T', msg('office.keys.translate')],
  ['U', msg('office.keys.undo')],
  ['N, P, B, E, X', msg('office.keys.wall')],
  ['A, R', msg('office.keys.photos')],
  ['R', msg('office.keys.look_again')],
  ['/', msg('office.keys.search')],
  ['Esc', msg('office.keys.release')],
  ['Ctrl K', msg('office.go.title')],
  ['?', msg('office.keys.title')],
] as const

export function KeyList({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('office.keys.title')}
      closeLabel={t('action.close')}
    >
      <dl className="flex flex-col gap-2">
        {KEYS.map(([key, text]) => (
          <div key={key} className="flex items-center justify-between gap-4">
            <dt>{t(text)}</dt>
            <dd className="shrink-0">
              <KeyCap>{key}</KeyCap>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
