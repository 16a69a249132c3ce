;;; emacs.el --- What Emacs shows of files; see check_colours.py  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0
(require 'json)
(require 'komuz-mode)

(defun colours-line ()
  "The stretches of the line that point is at the start of."
  (let ((begin (point)) (end (line-end-position)) stretches)
    (while (< (point) end)
      (let* ((face (get-text-property (point) 'face))
             (next (next-single-property-change (point) 'face nil end))
             (one (if (listp face) (car face) face)))
        (when one (push (vector (- (point) begin) (- next begin) (symbol-name one)) stretches))
        (goto-char next)))
    (vconcat (nreverse stretches))))

(let (all)
  (dolist (file (append (json-read-file (getenv "KOMUZ_FILES")) nil))
    (with-temp-buffer
      (insert-file-contents file)
      (komuz-mode)
      (font-lock-ensure)
      (goto-char (point-min))
      (let (lines)
        (while (not (eobp))
          (push (colours-line) lines)
          (forward-line 1))
        (push (vconcat (nreverse lines)) all))))
  (with-temp-file (getenv "KOMUZ_OUT") (insert (json-encode (vconcat (nreverse all))))))
;;; emacs.el ends here
