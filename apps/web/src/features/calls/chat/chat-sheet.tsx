import { Dialog } from '@duet/ui'
import { useBackEntry } from '../../../shared/navigation/back-entries.ts'
import { t } from '../../../shared/i18n.ts'
import type { RunningCall } from '../calls-state.ts'
import { Composer } from './composer.tsx'
import { QuickPhrases } from './quick-phrases.tsx'
import { TextLog } from './text-log.tsx'
import { CallTranslationSwitch } from './call-translation.tsx'

/** Everything that was said, on a phone: a sheet over the picture. */
export function ChatSheet({
  call,
  open,
  onClose,
}: {
  call: RunningCall
  open: boolean
  onClose: () => void
}) {
  useBackEntry(open, onClose)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('word.chat')}
      closeLabel={t('video.chat.close')}
      actions={
        <div className="flex w-full min-w-0 flex-col gap-2">
          <QuickPhrases />
          <Composer
            placeholder={t('video.chat.placeholder', { nick: call.session.user_interlocutor.nick })}
          />
        </div>
      }
    >
      <div className="-mx-5 flex h-[44dvh] flex-col">
        <div className="flex justify-end px-3">
          <CallTranslationSwitch />
        </div>
        {open ? <TextLog call={call} /> : null}
      </div>
    </Dialog>
  )
}
