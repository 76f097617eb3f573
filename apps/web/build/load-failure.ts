import { getDirection, type Locale } from '@duet/protocol/kernel/locales.ts'
import type { LoadFailureTexts } from '../src/app/start/prerendered.tsx'

/** The stylesheet may be missing. The system's colours then follow the theme. */
const STYLES = `#load-failure{position:fixed;z-index:1000;inset:auto 16px 16px;box-sizing:border-box;max-width:440px;margin-inline:auto;padding:20px;border-radius:16px;font:16px/1.45 var(--font-ui,system-ui,sans-serif);background:var(--surface-3,Canvas);color:var(--text,CanvasText);box-shadow:0 0 0 1px var(--hair-2,GrayText),0 12px 40px rgb(0 0 0/.4)}[data-member] #load-failure{inset:0 16px;height:fit-content;margin-block:auto}#load-failure p{margin:0}#load-failure .load-failure-title{font-weight:600;margin-block-end:4px}#load-failure button{min-height:44px;margin-block-start:16px;padding:0 22px;border:0;border-radius:22px;font:inherit;font-weight:600;background:var(--ember,ButtonFace);color:var(--on-ember,ButtonText);cursor:pointer}#load-failure button:focus-visible{outline:2px solid var(--ember-hi,Highlight);outline-offset:2px}`

/** Inert until the script of index.html shows it, in the language of the page. A browser without scripts shows a sentence. */
export function loadFailureTemplate(
  locale: Locale,
  { title, text, reload, no_script }: LoadFailureTexts,
): string {
  const place = `role="alert" lang="${locale}" dir="${getDirection(locale)}"`
  const failure = `<p class="load-failure-title">${escaped(title)}</p><p>${escaped(text)}</p><button type="button">${escaped(reload)}</button>`
  return `<template data-load-failure><section id="load-failure" ${place}><style>${STYLES}</style>${failure}</section></template><noscript><section id="no-script" ${place}><style>${STYLES.replaceAll('#load-failure', '#no-script')}</style><p>${escaped(no_script)}</p></section></noscript>`
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
