import { hasText, t, type TextId } from '../../shared/i18n.ts'

export type LegalDocument = 'terms' | 'privacy'

/** Chapters are numbered in the locale file: `law.terms.1.title`, `law.terms.1.text`. */
function chaptersOf(law: LegalDocument): { title: string; paragraphs: string[] }[] {
  const chapters = []
  for (let number = 1; hasText(`law.${law}.${number}.title`); number += 1) {
    chapters.push({
      title: t(`law.${law}.${number}.title` as TextId),
      paragraphs: t(`law.${law}.${number}.text` as TextId).split('\n'),
    })
  }
  return chapters
}

export function LegalText({ law, className }: { law: LegalDocument; className?: string }) {
  return (
    <div className={className}>
      <p className="body text-text-2">{t(`law.${law}.lead`)}</p>
      {chaptersOf(law).map(({ title, paragraphs }) => (
        <section key={title} className="mt-8">
          <h2 className="title">{title}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="body mt-2 max-w-[68ch] text-text-2">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
    </div>
  )
}
