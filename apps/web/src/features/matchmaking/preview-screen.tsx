import { Button, Ring } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useKeys } from '../../shared/controls/use-keys.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { formatLanguageName } from '../../shared/texts/person.ts'
import { useSearchCommands } from './search-context.tsx'
import { useNow } from '../../shared/controls/use-time.ts'
import { MessageScreen } from '../../shared/video/screen-frame.tsx'
import type { PreviewView } from './matchmaking-state.ts'

/** The preview of a waiting user for a visitor: a blurred card, and a button to register. */
export function PreviewScreen({ screen, onStop }: { screen: PreviewView; onStop: () => void }) {
  const commands = useSearchCommands()
  const { pair, expires_at_ms, lasts_ms } = screen
  const { role, locale, avatar_blurred } = pair.user_interlocutor
  const nowMs = useNow(250)
  const left = Math.ceil(Math.min(lasts_ms, Math.max(0, expires_at_ms - nowMs)) / 1000)
  useKeys({
    Enter: () => dialogs.open('register', { reason: 'registered_only' }),
    Escape: () => void commands.skip(),
  })
  return (
    <MessageScreen
      pair={{
        hers: avatar_blurred ? { src: avatar_blurred, priority: 'high' } : { light: 'ember' },
        yours: { children: <OwnPicture /> },
      }}
      title={t('matching.preview.title')}
      text={t(role === 'girl' ? 'matching.preview.text' : 'matching.preview.text_him', {
        language: formatLanguageName(locale),
      })}
      actions={
        <>
          <Button
            variant="primary"
            size={54}
            wide
            onClick={() => dialogs.open('register', { reason: 'registered_only' })}
            end={
              <Ring value={lasts_ms > 0 ? (left * 1000) / lasts_ms : 0} tone="current" size={30}>
                {left}
              </Ring>
            }
          >
            {t('action.create_account')}
          </Button>
          <div className="flex gap-2.5">
            <Button size={44} className="flex-1" onClick={() => void commands.skip()}>
              {t('matching.preview.next')}
            </Button>
            <Button size={44} variant="quiet" className="flex-1" onClick={onStop}>
              {t('matching.preview.stop')}
            </Button>
          </div>
        </>
      }
    />
  )
}
