import { Dialog, KeyCap } from '@duet/ui'
import { useBackEntry } from '../../../shared/navigation/back-entries.ts'
import { t, type TextId } from '../../../shared/i18n.ts'

const keys: readonly [key: string, text: TextId][] = [
  ['M', 'device.microphone'],
  ['V', 'device.camera'],
  ['N', 'action.next_person'],
  ['P', 'action.ask_private'],
  ['T', 'video.keys.text'],
  ['H', 'video.keys.panel'],
  ['?', 'video.keys.help'],
]

export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  useBackEntry(open, onClose)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('video.keys.title')}
      closeLabel={t('action.close')}
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-3.5">
        {keys.map(([key, text]) => (
          <div key={key} className="contents">
            <dt>
              <KeyCap>{key}</KeyCap>
            </dt>
            <dd className="body">{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
