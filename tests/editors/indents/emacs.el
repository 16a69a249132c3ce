;;; emacs.el --- Indents files anew; see check_indent.py  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0
(require 'json)
(require 'komuz-mode)
(let ((inhibit-message t) all)
  (dolist (file (append (json-read-file (getenv "KOMUZ_FILES")) nil))
    (with-temp-buffer
      (insert-file-contents file)
      (komuz-mode)
      (goto-char (point-min))
      (while (re-search-forward "^[ \t]+" nil t) (replace-match ""))
      (indent-region (point-min) (point-max))
      (push (vconcat (split-string (buffer-string) "\n")) all)))
  (with-temp-file (getenv "KOMUZ_OUT") (insert (json-encode (vconcat (nreverse all))))))
;;; emacs.el ends here
