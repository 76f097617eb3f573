import { TranslateIcon } from '@phosphor-icons/react/dist/csr/Translate'
import { Spinner } from '@duet/ui'
import { t } from '../../i18n.ts'
import { formatLanguageName } from '../person.ts'
import type { ShownTranslation } from './use-translation.ts'

/**
 * Under a bubble: the language of the original and a button that shows the original. Or a note that there is no
 * translation.
 */
export function TranslationNote({ status, from, shown, retry, toggle }: ShownTranslation) {
  if (status === 'loading')
    return (
      <span className="inline-flex items-center gap-1.5">
        <Spinner size={12} />
        {t('translate.loading')}
      </span>
    )
  const isFailed = status === 'failed'
  return (
    <>
      <span className="inline-flex items-center gap-1.5">
        <TranslateIcon size={14} />
        {isFailed ? t('translate.failed') : getOrigin(from)}
      </span>
      <button
        type="button"
        onClick={isFailed ? retry : toggle}
        className="hit rounded-tag font-[560]! text-text-2"
      >
        {isFailed ? t('action.retry') : t(shown ? 'translate.original' : 'translate.translation')}
      </button>
    </>
  )
}

function getOrigin(from: string | undefined): string {
  return from === undefined
    ? t('translate.done')
    : t('translate.from', { language: formatLanguageName(from) })
}
