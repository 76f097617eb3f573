/** Reading: what law asks for, as pages and as dialogs. */
export { LawText } from './law-text.tsx'
export { PrivacyDialog, TermsDialog } from './law-dialogs.tsx'
