import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { buttonLook, EmptyState } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'

/** The list before the first dialog: the search is where users meet. */
export function NoDialogs() {
  return (
    <EmptyState
      title={t('messenger.empty')}
      text={t('messenger.empty_text')}
      action={
        <Link to="/" className={buttonLook({ variant: 'primary' })}>
          <VideoCameraIcon size={20} weight="fill" className="mirror" />
          {t('nav.start')}
        </Link>
      }
    />
  )
}
