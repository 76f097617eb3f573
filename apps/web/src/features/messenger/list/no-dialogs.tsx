import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { buttonLook, EmptyState } from '@duet/ui'
import { useOwnUser } from '../../../shared/app-services.tsx'
import { t } from '../../../shared/i18n.ts'
import { useWriteTo } from '../../../shared/people/use-write.ts'
import { ChoosePerson } from './choose-person.tsx'

/** The list before the first dialog: the search is where users meet, and favourites are there to be chosen. */
export function NoDialogs() {
  const isGuy = useOwnUser()?.role === 'men'
  const { busy, writeTo } = useWriteTo()
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        title={t(isGuy ? 'messenger.empty_guy' : 'messenger.empty')}
        text={t('messenger.empty_text')}
        action={
          <Link to="/" className={buttonLook({ variant: 'primary' })}>
            <VideoCameraIcon size={20} weight="fill" className="mirror" />
            {t('action.start_chat')}
          </Link>
        }
      />
      <section aria-labelledby="choose-person" className="flex flex-col gap-1 px-2.5 pb-4">
        <h2 id="choose-person" className="note px-3 pt-4 pb-1 text-text-3">
          {t('messenger.choose_favourites')}
        </h2>
        <ChoosePerson busy={busy} onChoose={writeTo} />
      </section>
    </div>
  )
}
