import { useState } from 'react'
import { ChatCircleDotsIcon } from '@phosphor-icons/react/dist/csr/ChatCircleDots'
import { Button, cx } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { GiftButton } from '../../../shared/gifts/gift-button.tsx'
import type { RunningCall } from '../calls-state.ts'
import { FADES } from './fades.ts'
import { usePhone } from './use-phone.ts'

/** Both have been silent for a while. "Not now" silences the hint for this call. */
export function QuietHint({ call, onText }: { call: RunningCall; onText: () => void }) {
  const isPhone = usePhone()
  const [isSilenced, silence] = useState(false)
  if (isSilenced || call.hinted_at_ms === 0 || call.ask !== null) return null
  const { nick } = call.session.user_interlocutor
  return (
    <section
      aria-labelledby="quiet-hint"
      className={cx(
        'glass rounded-panel p-4',
        FADES,
        isPhone ? 'w-full' : 'absolute start-5 bottom-[112px] z-overlay w-[292px]',
      )}
    >
      <div role="status" className="flex items-start gap-3">
        <ChatCircleDotsIcon size={32} weight="duotone" className="shrink-0 text-ember-hi" />
        <div>
          <h2 id="quiet-hint" className="title text-[1rem]!">
            {t('video.hint.title')}
          </h2>
          <p className="note mt-1 text-text/85">{t('video.hint.text', { nick })}</p>
        </div>
      </div>
      <div className="mt-3 flex gap-2.5">
        <GiftButton
          size={36}
          variant="primary"
          person={call.session.user_interlocutor}
          session_id={call.session.id}
        />
        <Button size={36} onClick={onText}>
          {t('video.keys.text')}
        </Button>
        <Button variant="quiet" size={36} onClick={() => silence(true)}>
          {t('action.not_now')}
        </Button>
      </div>
    </section>
  )
}
