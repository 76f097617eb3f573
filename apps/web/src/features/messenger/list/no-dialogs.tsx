import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { buttonLook, EmptyState } from '@duet/ui'
import { useOwnUser } from '../../../shared/app-services.tsx'
import { t } from '../../../shared/i18n.ts'
import { ChoosePerson } from './choose-person.tsx'

/** The list before the first dialog: the search is where users meet, and favourites are there to be chosen. */
export function NoDialogs() {
  const isGuy = useOwnUser()?.role === 'men'
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        title={t(isGuy ? 'messenger.empty_guy' : 'messenger.empty')}
        text={t('messenger.empty_text')}
        action={
          <Link to="/" className={buttonLook({ variant: 'primary' })}>
            <VideoCameraIcon size={20} weight="fill" className="mirror" />
            {t('nav.start')}
          </Link>
        }
      />
      <ChoosePerson />
    </div>
  )
}
