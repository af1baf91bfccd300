;;; sgf-lark.el --- Game records and grammars in Emacs  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "26.3") (eglot "1.9"))
;; Put this file into a folder of `load-path' and (require 'sgf-lark) into the init file.

;;; Code:

(require 'eglot)

(defvar sgf-lark-command '("sgf-lark" "server") "The command that starts the server.")

(define-derived-mode sgf-lark-mode text-mode "SGF"
  "Major mode for game records: SGF and GGF.")
(define-derived-mode sgf-lark-grammar-mode prog-mode "Lark"
  "Major mode for grammars of Lark."
  (setq-local comment-start "// "))

(put 'sgf-lark-mode 'eglot-language-id "sgf")
(put 'sgf-lark-grammar-mode 'eglot-language-id "lark")
(add-to-list 'auto-mode-alist '("\\.\\(sgfs?\\|tsgf\\|ggf\\|mgt\\)\\'" . sgf-lark-mode))
(add-to-list 'auto-mode-alist '("\\.lark\\'" . sgf-lark-grammar-mode))
(add-to-list 'eglot-server-programs
             `((sgf-lark-mode sgf-lark-grammar-mode) . ,(lambda (&rest _) sgf-lark-command)))
(add-hook 'sgf-lark-mode-hook #'eglot-ensure)
(add-hook 'sgf-lark-grammar-mode-hook #'eglot-ensure)

(provide 'sgf-lark)
;;; sgf-lark.el ends here
