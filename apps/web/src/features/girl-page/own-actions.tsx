import { PencilSimpleIcon } from '@phosphor-icons/react/dist/csr/PencilSimple'
import { Link } from 'react-router'
import { buttonLook } from '@duet/ui'
import { t } from '../../shared/i18n.ts'

/** For a girl on her own page: this is a preview, with a link to edit the page. */
export function OwnActions() {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <Link
        to="/profile/"
        className={`${buttonLook({ variant: 'primary', size: 54 })} max-md:w-full`}
      >
        <PencilSimpleIcon size={20} weight="fill" />
        {t('girl.edit')}
      </Link>
      <p className="note min-w-48 flex-1 text-text-2 max-md:hidden">{t('girl.own_text')}</p>
    </div>
  )
}
